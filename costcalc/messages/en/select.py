"""Why no offer could be taken."""

MESSAGES = {
    "announced": "{name} is announced only: it cannot be rented and has no price.",
    "announced_claims": "{name} is announced only: it cannot be rented and has no price. "
    "Claimed, not measured: {claims}.",
    "purchase_not_sold": "nobody in the catalog sells {count} x {name} as {purchase}; sold as "
    "{sold}.",
    "no_price": "the catalog holds no price for {name}.",
    "not_there": "no offer of {count} x {name} matches the provider, region and market asked for; "
    "it is offered by {providers}.",
    "no_scale_out": "no offer in the catalog joins {count} x {name} into one system; the largest "
    "machine has {largest}.",
}
