"""Words used in many places."""

MESSAGES = {
    "or": "or",
    "months": "01 02 03 04 05 06 07 08 09 10 11 12",
    "day": "{year}-{month}-{day:02}",
    "yes": "yes",
    "no": "no",
}
