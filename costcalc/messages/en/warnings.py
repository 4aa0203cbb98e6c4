"""Warnings of a quote. The keys are the closed list of codes of the JSON (docs/reference.md)."""

MESSAGES: dict[str, str] = {
    "ai_zone": "{accelerator} in {region} stands in an AI zone ({zones}): access is restricted",
    "amount_named": "{provider} names {most} accelerators as the largest job of this kind; that "
    "so many are free is not proven",
    "amount_unproven": "nobody publishes how many {instance_type} {provider} can rent out at "
    "once; {instances} are not proven",
    "api_by_hour": "the price of {name} differs by the hour of the day; the mean of 24 hours "
    "was taken",
    "api_never": "{name} is cheaper than these machines at every volume: a request costs less "
    "there than on a replica that is full within the targets",
    "api_retired": "{name} is being retired by its provider: its price is still listed, but new "
    "traffic cannot be planned on it",
    "architecture_approximate": "{model} mixes kinds of layers that the arithmetic counts "
    "roughly: the range is wider",
    "assumption": "{accelerator} is announced only: its price (USD {usd} per accelerator and "
    "hour) and its rate ({rate} tokens/s per accelerator) are an ASSUMPTION of yours; every "
    "figure that rests on them is one too",
    "batch_assumed": "no --global-batch: {tokens} tokens per optimizer step were assumed; a "
    "smaller batch is slower",
    "batch_below_chips": "the batch has fewer sequences than {count} chips can share: some of "
    "them wait",
    "capacity_unproven": "{provider}'s price list shows {instance_type} in {region}; that is no "
    "proof of capacity or quota there",
    "checkpoints_assumed": (
        "checkpoints kept: {count} of {gb} GB (14 bytes per trained weight; 12 to 16 in the "
        "range); months: {months}"
    ),
    "chip_unmeasured": "no public training run for {chip}: the time is estimated from its peak "
    "and its maker's other chips, and the range is wider",
    "commitment_break_even": "{purchase} pays from {hours} of its {term} hours on, against "
    "on-demand",
    "commitment_rest": "{purchase} is billed to the end of its term: after this run {hours} "
    "hours remain, USD {usd}, used or not",
    "data_leaves": "data, checkpoints and logs leave {home} for {country}; rules on where data "
    "may be kept have to allow it",
    "dataset_assumed": "no --dataset: {gb} GB were assumed to move (4 bytes per token)",
    "draft_assumed": "speculative decoding with {tokens} proposed tokens accepted with a chance of "
    "{acceptance}: tokens come {gain} times as fast at this load; the gain shrinks with the "
    "load",
    "engine_assumed": "no --engine: {engine}, the usual one on {chip}, was assumed",
    "estimated_price": "the price of {what} is an estimate, not a listed price ({source})",
    "footprint_no_grid": "no carbon figure: the catalog has no grid factor for {region} "
    "({country})",
    "footprint_no_power": "no energy, carbon or water figure: the power of {accelerator} is not "
    "published",
    "footprint_no_region": "energy only, no carbon and no water: {provider} publishes one price "
    "for many regions, and where the machines stand decides both",
    "footprint_no_table": "no energy, carbon or water figure: the catalog has no energy.yaml",
    "footprint_no_water": "no water figure: no source says how much water the power plants of "
    "{country} use ({region})",
    "footprint_partial": "the energy, carbon and water figures leave out {names}",
    "footprint_unknown_region": "energy only, no carbon and no water: the catalog does not know "
    "where {provider} {region} is",
    "home_unpriced": "{provider} has no region in {region}: what it costs to send the data out "
    "of there is not known",
    "hours_per_month": "a month counts as {hours} hours",
    "internet_price": "{provider} publishes no price between {region} and its other regions that "
    "is known here: data that moves is priced as sent over the internet",
    "lengths_assumed": "prompts of {input} and answers of {output} tokens were assumed where none "
    "were given; lengths decide the cost more than anything else",
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
    "own_calibration": "times follow your own runs (calibration {digest}), not the shipped "
    "constants alone",
    "precision_no_gain": "{precision} is no faster than bf16 on {chip}: their peaks are equal",
    "price_unknown": "no price for {item} of {provider} in {region} is known; the line is left "
    "out, not zero",
    "rate_jump": (
        "the rate moved {change}% against that of {date} ({before} → {after}); please check it"
    ),
    "rate_source_stale": "the newest rate is of {date}, {days} days before {today}: the source may "
    "have stopped publishing",
    "read_8bit_base": "{at}: the frozen base is loaded in 8 bits; memory and time are counted "
    "as for LoRA on bf16",
    "read_accelerator_meaning": "{name} is read as {accelerator}, which is what the format "
    "means by it",
    "read_autoscaling": "{at} scales between {low} and {high}; the number in the file, or the "
    "smaller one, was taken",
    "read_batch_below_one": "{at} gives less than one sequence per step on these chips; the "
    "batch was left open",
    "read_conflict": "the files contradict each other about {name}: {first} says {first_value},"
    " {second} says {second_value}; it was left open",
    "read_first_taken": "{name} is first in the file's order of preference and was taken; the "
    "others are {names}",
    "read_fp16": "{at}: fp16 is counted as bf16, which every chip of the catalog computes at "
    "the same rate",
    "read_fraction": "{count} of a {name} is counted as a whole one",
    "read_instance_label": "the label {at}: {value} is read as the machine type {instance_type}",
    "read_job_waves": "{completions} pods are to complete, {parallelism} at a time: the chips "
    "are those of one wave",
    "read_kind_assumed": "a model alone says neither training nor serving; it was written as "
    "training (--kind serve writes it as serving)",
    "read_layout_does_not_fit": "{chips} chips are not a multiple of the model-parallel degrees"
    " ({parallel}): the batch was left open",
    "read_limit_differs": "{name}: the limit is {limit}, the request {request}; Kubernetes "
    "wants them equal, and the limit was taken",
    "read_mig": "{name} is a slice of a GPU, which no offer of the catalog prices; it was left out",
    "read_mixed_purchase": "{address} mixes spot and on-demand machines; it is quoted as on-"
    "demand unless --purchase says otherwise",
    "read_model_approximate": "{file} gives the model's dimensions but not how its kinds of "
    "layers alternate: the counts are rough",
    "read_model_by_shape": "{file} names no model; its dimensions are exactly those of {names}",
    "read_model_taken_as": "the model {name} is taken as {model}, whose shape its name says it has",
    "read_neuron_cores": "{cores} NeuronCores per pod cannot be turned into chips without the "
    "machine type",
    "read_no_accelerator": "{address}: {name} is no machine with accelerators; it was left out",
    "read_no_accelerators": "{file} asks for no accelerators",
    "read_no_vocab": "{file} does not give vocab_size; the model family's default applies",
    "read_not_given": "{address}: {at} is not in the plan",
    "read_pods_open": "{at}: how many pods run is not in the file; each takes {chips} chips",
    "read_preference_training": "{at} ({value}) is preference or reinforcement training: a step"
    " does more work than the estimate, which is for plain training",
    "read_several_types": "{address} may take several machine types ({names}); the first was taken",
    "read_several_values": "{at} is given several values ({value}), in branches that only a run"
    " decides; it was left open",
    "read_steps_at_most": "{at}: the number of steps is an upper bound",
    "read_stored_precision": "the weights are stored as {name}, for which there is no rate; the"
    " precision was left at its default",
    "read_tokens_at_most": "without packing a sequence is rarely full: the tokens are an upper "
    "bound",
    "read_topology_differs": "the topology {topology} does not divide {chips} chips; the chips "
    "were taken",
    "read_unknown_until_apply": "{address}: {at} is known only after the apply",
    "read_variable_default": "{at} follows the script's default of {name}; the environment may "
    "set another",
    "read_zones_unknown": "{address}: {nodes} nodes per zone, in zones that the plan does not "
    "name; one zone was counted",
    "region_unknown": "the catalog does not know where {provider} {region} is",
    "replicas_idle": "{idle} of the {rented} rented accelerators hold no replica: machines are "
    "rented whole",
    "retired": "{accelerator} is retired: its price is still listed, but no source shows a "
    "region that offers it",
    "serving_batch": "no --rps and no --concurrency: a batch job at full load; latency does not "
    "count",
    "serving_busy": "the replicas run at {share} of their predicted capacity, above the {target} "
    "that are safe: a prediction that is a little high, or a burst, makes queues grow",
    "serving_pooled": "neither this engine nor {model} on {chip} was measured: constants of all "
    "engines as one, the range is wider; benchmark first",
    "serving_unmeasured": "no public measurement of {model} on {chip}: datasheet and the constants "
    "of {engine}; the range is wider; benchmark first",
    "smallest_counts": "each offer has its smallest count that fits; runs may take years: give "
    "--deadline, --budget or --max-chips",
    "spot_assumed": (
        "spot: {rate} of the machines are assumed to be taken back in a month, with {lost} h lost "
        "each time: {share} of the work is done again (machines: {machines})"
    ),
    "spot_serving": "spot machines are taken back without asking: the targets hold only while all "
    "replicas run",
    "store_unreadable": "{reason} Fetched prices and rates were left out; costcalc prices update "
    "repairs the store.",
    "tpu_zone_unproven": "{provider} has a price for {accelerator} in {region}, but the zones in "
    "the catalog (North America and europe-west4) show none for it there",
    "ttft_indicative": "the time to first token is indicative: it depends on how an engine batches "
    "prompts, and published ones differ by several times",
    "tuning_assumed": "the stack is not known: the middle is an ordinary one (default) and the "
    "range reaches from a tuned to an out-of-box one; --tuning narrows it",
    "uniform_price": "{provider} publishes one price for many regions ({scope}): it proves the "
    "price, not that the accelerator is in a given region",
    "unproven_there": "{provider} publishes one price for all its regions; that is no evidence "
    "for {region} and was not used",
    "weights_only": "{precision} is a storage format on {chip}: weights are widened and computed in "
    "bf16",
    "whole_machines": "{asked} accelerators were asked for; whole machines hold {rented}, and "
    "all are paid",
    "whole_run": "the hours are what published runs were billed from start to end (restarts, old "
    "stacks and idle time included) instead of goodput",
}
