"""Why no offer could be taken."""

MESSAGES = {
    "announced": "{name} is announced only: it cannot be rented and has no price.",
    "announced_claims": "{name} is announced only: it cannot be rented and has no price. "
    "Claimed, not measured: {claims}.",
    "purchase_not_sold": "nobody in the catalog sells {count} x {name} as {purchase}; sold as "
    "{sold}.",
    "no_price": "the catalog holds no price for {name}.",
    "not_there": "no offer of {count} x {name} matches the provider, region and market asked "
    "for; it is offered by {providers}.",
    "no_scale_out": "no offer in the catalog joins {count} x {name} into one system; the largest "
    "machine has {largest}.",
    "no_slice": "{name} has no slice of {chips} chips; the nearest are {below} and {above}.",
    "not_in_region": "no offer of {count} x {name} stands in {region}. Nearest: {near}. "
    "--nearest takes the first of them.",
    "not_in_region_none": "no offer of {count} x {name} stands in {region}, and none whose place "
    "is known.",
    "not_in_region_unproven": "no offer of {count} x {name} is proven to stand in {region}: "
    "{unproven} publishes one price for all its regions, which is no evidence and is not quoted "
    "there. Nearest: {near}. --nearest takes the first of them.",
    "not_in_region_unproven_none": "no offer of {count} x {name} is proven to stand in {region}: "
    "{unproven} publishes one price for all its regions, which is no evidence and is not quoted "
    "there.",
    "residency": "no offer of {count} x {name} is known to stand in {country}; it is offered "
    "elsewhere by {providers}.",
    "too_long": "{count} x {name}: {purchase} ends after {days} days and the run takes {needed} "
    "days; sold as {sold}. More accelerators make the run shorter.",
}
