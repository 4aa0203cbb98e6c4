"""Why an offer cannot run something."""

MESSAGES = {
    "budget": "the run costs USD {usd}",
    "deadline": "it takes {days} days at best",
    "dearer_region": "the same machine is listed in {region}",
    "market": "market: {market}",
    "max_accelerators": "at most {largest} accelerators are known to be rentable as one job",
    "max_chips": "it needs more than {most} chips",
    "memory": "the memory does not hold the job",
    "no_datasheet": "its peak, memory or bandwidth is not published",
    "no_peak": "no bf16 peak is published",
    "no_precision": "no peak is published for {precision}",
    "no_scaleout": "one machine has {largest} accelerators and no scale-out network",
    "no_slice": "there is no slice of {chips} chips; the nearest are {below} and {above}",
    "not_sold_in_practice": "sold only as {sold}",
    "other_machine": "another machine was asked for",
    "part_of_host": "it offers {largest} of a host's accelerators, and no network joins more of "
    "them",
    "provider": "another provider",
    "purchase": "another purchase option",
    "region": "not in {region}",
    "residency": "not known to be in {country}",
    "retired": "retired",
    "scaleout_unknown": "one machine has {largest} accelerators; no source states a scale-out "
    "network",
    "serves_only": "does not train",
    "software": "does not run {software}",
    "spot_service": "sold as spot only, which is no base for a service",
    "targets": "no replica meets the targets",
    "too_long": "{purchase} ends after {days} days; the run takes {needed} days",
    "trains_only": "does not serve",
    "uniform_price": "one price for all regions: no evidence for {region}",
}
