"""Serving: the estimate."""

MESSAGES = {
    "arrival_cv": "--arrival-cv {value} is not a coefficient of variation from 0 to 100.",
    "both_limits": (
        "no replica of {count} x {chip} keeps both limits under load; {options} would meet it."
    ),
    "both_limits_nothing": (
        "no replica of {count} x {chip} keeps both limits under load; nothing on this "
        "accelerator would meet it."
    ),
    "cached": "--prefix-hit {value} is not a share from 0 to below 1.",
    "calibration_key": "the serving calibration lacks {name}, or it is no number above zero.",
    "calibration_unknown": "the serving calibration has an unknown key {name}.",
    "calibration_value": "the serving calibration cannot be read: {fault}.",
    "context": "{context} tokens of prompt and answer are more than {model} was made for ({most}).",
    "does_not_fit": (
        "{model} in {weights} with a request of {context} tokens does not fit on {count} x "
        "{chip}; {enough} would hold it."
    ),
    "draft": (
        "a draft proposes 0 to 32 tokens with an acceptance from 0 to 1, not {tokens} with "
        "{acceptance}."
    ),
    "first_floor": (
        "a time to first token of {limit} ms is below the physical floor of {count} x {chip}: "
        "the prompt of {tokens} tokens takes {floor} ms at full peak; {options} would meet "
        "it."
    ),
    "first_floor_nothing": (
        "a time to first token of {limit} ms is below the physical floor of {count} x {chip}: "
        "the prompt of {tokens} tokens takes {floor} ms at full peak; nothing on this "
        "accelerator would meet it."
    ),
    "first_limit": (
        "no replica of {count} x {chip} starts {share} of the requests within {limit} ms: "
        "alone a prompt of {tokens} tokens takes {best} ms; {options} would meet it."
    ),
    "first_limit_nothing": (
        "no replica of {count} x {chip} starts {share} of the requests within {limit} ms: "
        "alone a prompt of {tokens} tokens takes {best} ms; nothing on this accelerator would "
        "meet it."
    ),
    "length": "{name} {value} is not a whole number from 1 to {high}.",
    "limit": "the limit on {name} ({value}) is not a time above zero.",
    "never_fits": (
        "{model} in {weights} with a request of {context} tokens fits on no scale-up domain "
        "of {chip}."
    ),
    "never_fits_lighter": (
        "{model} in {weights} with a request of {context} tokens fits on no scale-up domain "
        "of {chip}; it would with --precision {lighter}."
    ),
    "no_datasheet": (
        "the peak, memory or bandwidth of {chip} is not published: nothing to estimate."
    ),
    "no_layout": (
        "{count} x {chip} cannot be split evenly for {model}: its {heads} heads need a width "
        "that divides them; try {enough}."
    ),
    "overloaded": (
        "{replicas} replicas serve {capacity} requests per second within the targets, not "
        "{rate}; {needed} would be needed."
    ),
    "rate": "{value} requests per second are not between 0 (exclusive) and {high}.",
    "replicas": "{value} replicas are not between 1 and 1,000,000.",
    "token_floor": (
        "a time per token of {limit} ms is below the physical floor of {count} x {chip}: "
        "reading {model} in {weights} once takes {floor} ms at full bandwidth; {options} "
        "would meet it."
    ),
    "token_floor_nothing": (
        "a time per token of {limit} ms is below the physical floor of {count} x {chip}: "
        "reading {model} in {weights} once takes {floor} ms at full bandwidth; nothing on "
        "this accelerator would meet it."
    ),
    "token_limit": (
        "no replica of {count} x {chip} gives {model} {share} of its tokens within {limit} "
        "ms: alone a request takes {best} ms per token; {options} would meet it."
    ),
    "token_limit_nothing": (
        "no replica of {count} x {chip} gives {model} {share} of its tokens within {limit} "
        "ms: alone a request takes {best} ms per token; nothing on this accelerator would "
        "meet it."
    ),
    "trains_only": "{chip} is not offered for serving.",
    "two_loads": "--rps and --concurrency are two kinds of load: give one of them.",
    "unknown_choice": "{name} {value!r} is not known; nearest: {known}.",
    "users": "{value} users at once are not between 1 and {high}.",
}
