"""The steps of an estimate, for --explain."""

MESSAGES = {
    "assumed_replicas": "{wanted} output tokens/s, at most 85% of the assumed {each} tokens/s of a replica: {replicas} replicas.",
    "assumed_hours": "{tokens} tokens at an assumed {rate} tokens/s on each of {count} chips take {hours} h.",
    "params": "The model has {total} weights; {active} work on each token.",
    "flops": (
        "A token costs {flops} GFLOP to train; attention at {seq_len} tokens is {attention}% of it."
    ),
    "total": "{tokens} tokens make {total} FLOP.",
    "peak": "The chip's dense {precision} peak is {peak} TFLOP/s.",
    "matmul": (
        "Matmuls take {us} us a token: training reaches {share}% of the best measured bf16 rate, "
        "{best} TFLOP/s."
    ),
    "matmul_assumed": (
        "Matmuls take {us} us a token: training reaches {share}% of the best bf16 rate, here "
        "assumed to be {best} TFLOP/s (nobody measured this chip)."
    ),
    "attention": "Attention takes {us} us a token, at a rate of its own.",
    "fixed": "Fixed work per layer and step adds {us} us, at {tokens} tokens per chip and step.",
    "sharding": "Sharing weights, sequences and routed tokens among chips adds {us} us.",
    "multiplier": "Stack ({stack}), routing and the chip's own effect ({chip}): x {factor}.",
    "steady": "Steady rate: {rate} tokens/s per chip ({us} us a token), {mfu}% of {peak} TFLOP/s.",
    "goodput": "{share}% of the hours on {chips} chips are useful work.",
    "whole_run": "Whole published runs were billed at {share}% of the steady rate.",
    "reliability": (
        "Something fails every {failure} h; a checkpoint ({size} GB) is best written every "
        "{interval} h. Evaluation, not included, took {evaluation}% more in published logs."
    ),
    "hours": "That is {hours} h on {chips} chips, {accelerator_hours} accelerator-hours.",
    "serve_weights": (
        "Weights: {params} parameters in {weights} on {chips} chips of a copy are {gib} GiB "
        "per chip."
    ),
    "serve_room": (
        "Memory: {room} GiB per chip are left; a request of {context} tokens on average takes "
        "{each} MiB of it: {limit} at once."
    ),
    "serve_prefill": ("Prompt: {tokens} tokens take {ms} ms of a copy."),
    "serve_step": (
        "Step with {batch} requests: {ms} ms per token (fixed {fixed}, weights {reading}, "
        "matmuls {matmul}, keys and values {cache}, collectives {collective}, host {host})."
    ),
    "serve_rate": (
        "Rate of a replica ({copies} copies): {rate} output tokens per second; prompts take "
        "{share} of the time."
    ),
    "serve_replicas": (
        "{replicas} replicas of {count} accelerators; one can do {capacity} requests per "
        "second, of which {utilisation} are used."
    ),
}
