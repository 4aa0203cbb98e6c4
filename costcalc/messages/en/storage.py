"""Storage and data transfer."""

MESSAGES = {
    "no_price": "the catalog holds no price for {kind} at {provider} {region}; it is known "
    "for: {names}. A price of your own can be given with the key price.",
    "no_provider": "the catalog holds no data prices of {provider!r}; there are: {names}. A "
    "price of your own can be given with the key price.",
    "no_tier": "{provider} has no storage class {tier!r}; there are: {names}.",
}
