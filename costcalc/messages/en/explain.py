"""The steps of an estimate, for --explain."""

MESSAGES = {
    "assumed_hours": "{tokens} tokens at an assumed {rate} tokens/s on each of {count} chips take {hours} h.",
    "params": "The model has {total} weights; {active} work on each token.",
    "flops": (
        "A token costs {flops} GFLOP to train; attention at {seq_len} tokens is {attention} % of it."
    ),
    "total": "{tokens} tokens make {total} FLOP.",
    "peak": "The chip's dense {precision} peak is {peak} TFLOP/s.",
    "matmul": (
        "Matmuls take {us} us a token: training reaches {share} % of the best measured bf16 rate, "
        "{best} TFLOP/s."
    ),
    "attention": "Attention takes {us} us a token, at a rate of its own.",
    "fixed": "Fixed work per layer and step adds {us} us, at {tokens} tokens per chip and step.",
    "sharding": "Sharing weights, gradients and sequences among chips adds {us} us.",
    "multiplier": "Stack ({stack}), routing and the chip's own effect ({chip}): x {factor}.",
    "steady": (
        "Steady rate: {rate} tokens/s per chip ({us} us a token), {mfu} % of {peak} TFLOP/s."
    ),
    "goodput": "{share} % of the hours on {chips} chips are useful work.",
    "whole_run": "Whole published runs were billed at {share} % of the steady rate.",
    "reliability": (
        "Something fails every {failure} h; a checkpoint ({size} GB) is best written every "
        "{interval} h. Evaluation, not included, took {evaluation} % more in published logs."
    ),
    "hours": "That is {hours} h on {chips} chips, {accelerator_hours} accelerator-hours.",
}
