"""Why an offer cannot run something."""

MESSAGES = {
    "max_accelerators": "at most {largest} accelerators are known to be rentable as one job",
    "no_scaleout": "one machine has {largest} accelerators and no scale-out network",
    "no_slice": "there is no slice of {chips} chips; the nearest are {below} and {above}",
    "other_machine": "another machine was asked for",
    "part_of_host": "only {largest} accelerators of a host are offered, and no network joins them",
    "scaleout_unknown": "one machine has {largest} accelerators; no source states a scale-out "
    "network",
    "too_long": "{purchase} ends after {days} days; the run takes {needed} days",
}
