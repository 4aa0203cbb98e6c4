"""Hardware of one's own."""

MESSAGES = {
    "no_tariff": "the catalog holds no electricity tariff {name!r}; there are: {names}.",
}
