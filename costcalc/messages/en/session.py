"""Faults in the environment."""

MESSAGES = {
    "source_date_epoch": "SOURCE_DATE_EPOCH: {value!r} is not a number of seconds since 1970.",
}
