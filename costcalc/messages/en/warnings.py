"""Warnings of a quote. The keys are the closed list of codes of the JSON (docs/reference.md)."""

MESSAGES: dict[str, str] = {
    "ai_zone": "{accelerator} in {region} stands in an AI zone ({zones}): access is restricted",
    "amount_named": "{provider} names {most} accelerators as the largest job of this kind; that "
    "so many are free is not proven",
    "amount_unproven": "nobody publishes how many {instance_type} {provider} can rent out at "
    "once; {instances} are not proven",
    "architecture_approximate": "{model} mixes kinds of layers that the arithmetic counts "
    "roughly: the range is wider",
    "batch_assumed": "no --global-batch: {tokens} tokens per optimizer step were assumed; a "
    "smaller batch is slower",
    "batch_below_chips": "the batch has fewer sequences than {count} chips can share: some of "
    "them wait",
    "capacity_unproven": "{provider}'s price list shows {instance_type} in {region}; that is no "
    "proof of capacity or quota there",
    "chip_unmeasured": "no public training run for {chip}: the time is estimated from its peak "
    "and its maker's other chips, and the range is wider",
    "data_leaves": "data, checkpoints and logs leave {home} for {country}; rules on where data "
    "may be kept have to allow it",
    "estimated_price": "the price of {what} is an estimate, not a listed price ({source})",
    "managed_service": "prices are of plain machines; {service}, the managed service of "
    "{provider}, adds its own fees",
    "may_be_too_long": "{purchase} ends after {days} days, and the slow end of the range is "
    "{needed} days",
    "memory_unknown": "the memory of {chip} is not published: whether the model fits was not "
    "checked",
    "mfu_peak": "utilisation (MFU) is given against the {precision} peak, {peak} TFLOP/s; bf16 "
    "is {bf16}",
    "nearest_region": "no offer in {asked}: quoted in {provider} {region} ({city}, {country}), "
    "{km} km away; a round trip takes at least {ms} ms (straight fibre, a lower bound)",
    "never_pays_back": "{name}: a run saves {saving}, so that the work never pays itself back",
    "not_sold_in_practice": "{instance_type} has a price as {purchase}, but {provider} sells it "
    "as {sold} only",
    "not_sold_on_demand": "{accelerator} is not sold on demand; quoted as {purchase}",
    "nothing_checked": "the plan has no budgets and no limit was given: nothing was checked",
    "old_price": "the price of {what} is from {date}, {days} days old; prices move",
    "old_rate": "the exchange rate is from {date}, {days} days old",
    "opt_in_region": "{provider} {region} is off until the account turns it on",
    "precision_no_gain": "{precision} is no faster than bf16 on {chip}: their peaks are equal",
    "region_unknown": "the catalog does not know where {provider} {region} is",
    "retired": "{accelerator} is retired: its price is still listed, but no source shows a "
    "region that offers it",
    "smallest_counts": "each offer has its smallest count that fits; runs may take years: give "
    "--deadline, --budget or --max-chips",
    "tpu_zone_unproven": "{provider} has a price for {accelerator} in {region}, but the zones in "
    "the catalog (North America and europe-west4) show none for it there",
    "tuning_assumed": "the stack is not known: the middle is an ordinary one (default) and the "
    "range reaches from a tuned to an out-of-box one; --tuning narrows it",
    "uniform_price": "{provider} publishes one price for many regions ({scope}): it proves the "
    "price, not that the accelerator is in a given region",
    "unproven_there": "{provider} publishes one price for all its regions; that is no evidence "
    "for {region} and was not used",
    "whole_machines": "{asked} accelerators were asked for; whole machines hold {rented}, and "
    "all are paid",
    "whole_run": "the hours are what published runs were billed from start to end (restarts, old "
    "stacks and idle time included) instead of goodput",
}
