"""What a training estimate refuses, and why."""

MESSAGES = {
    "serves_only": "{chip} serves models but does not train them.",
    "no_peak": "{chip} has no published bf16 peak: its training time cannot be estimated.",
    "precision_unsupported": "{chip} has no published {precision} peak; it trains in {known}.",
    "does_not_fit": (
        "{model} does not fit the memory of {count:,} x {chip}; {enough:,} chips would hold it."
    ),
    "never_fits": "{model} does not fit the memory of {count:,} x {chip}, nor of any larger count.",
    "unknown_choice": "{name}: {value!r} is not one of {known}.",
    "no_tokens": "a training run needs at least one token and a sequence of at least one token.",
    "batch_below_sequence": (
        "--global-batch {batch:,} is below one sequence of {seq_len:,} tokens; "
        "give at least {seq_len:,}."
    ),
    "calibration_key": "calibration file: {name} is missing or no number.",
    "calibration_unknown": "calibration file: {name} is not known.",
    "calibration_value": "calibration file: {fault}.",
}
