"""Warnings of a quote. The keys are the closed list of codes of the JSON (docs/reference.md)."""

MESSAGES: dict[str, str] = {
    "ai_zone": "{accelerator} in {region} stands in an AI zone ({zones}): access is restricted",
    "amount_unproven": "nobody publishes how many {instance_type} {provider} can rent out at "
    "once; {instances} are not proven",
    "capacity_unproven": "{provider}'s price list shows {instance_type} in {region}; that is no "
    "proof of capacity or quota there",
    "data_leaves": "data, checkpoints and logs leave {home} for {country}; rules on where data "
    "may be kept have to allow it",
    "estimated_price": "the price of {what} is an estimate, not a listed price ({source})",
    "managed_service": "prices are of plain machines; {service}, the managed service of "
    "{provider}, adds its own fees",
    "may_be_too_long": "{purchase} ends after {days} days, and the slow end of the range is "
    "{needed} days",
    "nearest_region": "no offer in {asked}: quoted in {provider} {region} ({city}, {country}), "
    "{km} km away; a round trip takes at least {ms} ms (straight fibre, a lower bound)",
    "not_sold_in_practice": "{instance_type} has a price as {purchase}, but {provider} sells it "
    "as {sold} only",
    "not_sold_on_demand": "{accelerator} is not sold on demand; quoted as {purchase}",
    "old_price": "the price of {what} is from {date}, {days} days old; prices move",
    "old_rate": "the exchange rate is from {date}, {days} days old",
    "opt_in_region": "{provider} {region} is off until the account turns it on",
    "region_unknown": "the catalog does not know where {provider} {region} is",
    "tpu_zone_unproven": "{provider} has a price for {accelerator} in {region} but documents no "
    "zone for it there",
    "uniform_price": "{provider} publishes one price for many regions ({scope}): it proves the "
    "price, not that the accelerator is in a given region",
    "unproven_there": "{provider} publishes one price for all its regions; that is no evidence "
    "for {region} and was not used",
    "whole_machines": "{asked} accelerators were asked for; whole machines hold {rented}, and "
    "all are paid",
}
