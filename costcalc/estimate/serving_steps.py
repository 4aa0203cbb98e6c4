"""How a serving estimate came about, step by step, for `--explain`."""

from __future__ import annotations

from costcalc.estimate.decode import step_parts
from costcalc.estimate.explain import Step, quantity, step
from costcalc.estimate.serving_job import Setup
from costcalc.estimate.serving_memory import room_bytes_per_chip, weight_bytes_per_chip
from costcalc.estimate.serving_numbers import sequence_bytes
from costcalc.estimate.serving_sizing import Sized

_CALIBRATION = "pricing/calibration/serving.yaml"


def serving_steps(setup: Setup, sized: Sized, count: int) -> tuple[Step, ...]:
    """The steps, in the order in which they are computed."""
    job, chip, layout, copy = setup.job, setup.chip, sized.layout, sized.copy
    architecture = job.architecture
    point = sized.point
    context = job.input_tokens + job.output_tokens / 2.0
    fixed, reading, matmul, cache, collective, host = (
        float(part)
        for part in step_parts(
            copy.numbers,
            copy.work,
            copy.k,
            point.batch,
            tokens=copy.draft.tokens + 1.0,
        )
    )
    weights = weight_bytes_per_chip(architecture, setup.weights, layout)
    held = sequence_bytes(architecture, layout, context, setup.kv_bytes)
    room = room_bytes_per_chip(architecture, chip, setup.weights, layout)
    datasheet = f"datasheet of {chip.id}"
    steps = [
        step(
            "serve_weights",
            weights / 2**30,
            "GiB",
            "parameters x bytes / chips of a copy",
            architecture.name,
            gib=f"{weights / 2**30:,.1f}",
            params=quantity(float(architecture.params_total())),
            weights=setup.weights,
            chips=layout.chips,
        ),
        step(
            "serve_room",
            copy.limit,
            "requests",
            "(0.93 x memory - 2 GB - weights) / bytes per request, at most 1,600 per scheduler",
            datasheet,
            room=f"{room / 2**30:,.1f}",
            each=f"{held / 2**20:,.1f}",
            context=f"{context:,.0f}",
            limit=f"{copy.limit:,.0f}",
        ),
        step(
            "serve_prefill",
            copy.prefill_s * 1e3,
            "ms",
            "FLOPs / (peak x share) + attention + links",
            f"{datasheet}; {_CALIBRATION}",
            ms=f"{copy.prefill_s * 1e3:,.2f}",
            tokens=f"{float(copy.work.prompt_tokens):,.0f}",
        ),
        step(
            "serve_step",
            point.step_s * 1e3,
            "ms",
            "fixed + max(read weights, multiply) + keys and values + collectives + host",
            f"{datasheet}; {_CALIBRATION}",
            ms=f"{point.step_s * 1e3:,.2f}",
            batch=f"{point.batch:,.1f}",
            fixed=f"{fixed * 1e3:.2f}",
            reading=f"{reading * 1e3:.2f}",
            matmul=f"{matmul * 1e3:.2f}",
            cache=f"{cache * 1e3:.2f}",
            collective=f"{collective * 1e3:.2f}",
            host=f"{host * 1e3:.2f}",
        ),
        step(
            "serve_rate",
            point.rate * layout.data * job.output_tokens,
            "tokens/s",
            "copies x output tokens / (prefill + output tokens x step / batch)",
            "Little's law",
            rate=f"{point.rate * layout.data * job.output_tokens:,.0f}",
            copies=layout.data,
            share=f"{point.prompt_share:.0%}",
        ),
        step(
            "serve_replicas",
            float(sized.replicas),
            "replicas",
            "load / (0.85 x capacity within the targets), rounded up",
            "Erlang C with the Allen-Cunneen factor for the queues",
            replicas=f"{sized.replicas:,}",
            count=count,
            capacity=f"{sized.capacity:,.3g}",
            utilisation=f"{sized.utilisation:.0%}",
        ),
    ]
    return tuple(steps)
