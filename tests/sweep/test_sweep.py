"""A sweep gives at every point what `costcalc train` gives there, as a stream."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from costcalc.catalog import Catalog
from costcalc.errors import CostcalcError, InputError, NoOfferError
from costcalc.quote.select import Placement
from costcalc.quote.sweep import OK, Sweep, SweepRequest
from costcalc.quote.terms import Terms
from costcalc.quote.train import TrainRequest, quote_training
from costcalc.quote.types import Quote
from costcalc.reports import sweep_rows


def request_of(
    catalog: Catalog, model: str, on: list[str], *, placement: Any = None, **changes: Any
) -> SweepRequest:
    hardware = [catalog.hardware(text) for text in on]
    axes = {
        name: changes.pop(name)
        for name in ("seq_lens", "global_batches", "tokens")
        if name in changes
    }
    base = TrainRequest(
        architecture=catalog.model(model),
        tokens=1,
        placement=Placement(hardware[0], **(placement or {})),
        **changes,
    )
    return SweepRequest(
        base=base,
        hardware=hardware,
        seq_lens=axes.get("seq_lens", [4096]),
        global_batches=axes.get("global_batches", [None]),
        tokens=axes.get("tokens", [10**9]),
    )


def outcome(request: TrainRequest, catalog: Catalog, terms: Terms) -> Quote | str:
    """The quote of one point, or the name of why there is none."""
    try:
        return quote_training(request, catalog, terms)
    except (InputError, NoOfferError) as error:
        return error.key.rpartition(".")[2]


def compare_with_train(request: SweepRequest, catalog: Catalog, terms: Terms) -> dict[str, int]:
    """Every point of a grid against the quote of that point; how often each status came up."""
    sweep = Sweep(request, catalog, terms)
    seen: dict[str, int] = {}
    configurations = iter(sweep.configurations())
    for hardware in request.hardware:
        for seq_len in request.seq_lens:
            for batch in request.global_batches:
                configuration = next(configurations)
                assert configuration.hardware is hardware
                for tokens, point in zip(request.tokens, sweep.figures(configuration), strict=True):
                    assert point.tokens == tokens
                    seen[point.status] = seen.get(point.status, 0) + 1
                    single = replace(
                        request.base,
                        tokens=tokens,
                        seq_len=seq_len,
                        global_batch_tokens=batch,
                        placement=replace(request.base.placement, hardware=hardware),
                    )
                    quote = outcome(single, catalog, terms)
                    if isinstance(quote, str):
                        assert (point.status, point.usd) == (quote, None)
                        continue
                    assert point.status == OK
                    estimate: Any = quote.workloads[0].estimate
                    for name in ("hours", "hours_low", "hours_high"):
                        assert float(getattr(point, name)) == getattr(estimate, name)
                    assert configuration.time is not None
                    rate = 1.0 / configuration.time.steady
                    assert rate == estimate.tokens_per_second_per_accelerator
                    assert configuration.mfu == estimate.mfu
                    assert configuration.time.useful == estimate.goodput
                    assert configuration.batch_tokens == estimate.global_batch_tokens
                    assert point.offer == quote.workloads[0].offer
                    for name in ("usd", "usd_low", "usd_high", "mxn", "mxn_low", "mxn_high"):
                        assert getattr(point, name) == getattr(quote.totals, name), name
    assert next(configurations, None) is None
    return seen


class TestEqualToTrain:
    def test_chips_batches_and_contexts(self, shipped: Catalog, terms: Terms) -> None:
        request = request_of(
            shipped,
            "llama-3.1-8b",
            ["h100:8", "h100:16", "v5p-8", "p5.48xlarge:2", "b200:8"],
            seq_lens=[4096, 131_072],
            global_batches=[None, 65_536, 1_048_576],
            tokens=[10**9, 3 * 10**12],
        )
        seen = compare_with_train(request, shipped, terms)
        assert seen["ok"] > 20
        assert seen["batch_below_sequence"] > 0

    @pytest.mark.parametrize(
        ("model", "on", "options"),
        [
            ("deepseek-v3", ["h100:256", "h200:256"], {"precision": "fp8"}),
            ("llama-3.1-70b", ["h100:8", "h100:64"], {"method": "lora", "tuning": "tuned"}),
            ("llama-3.1-70b", ["h100:64", "mi300x:64"], {"whole_run": True}),
            ("llama-3.1-8b", ["h100:8"], {"tuning": "out-of-box", "epochs": Decimal("2.5")}),
            ("gemma-4-31b", ["tpu-v5p:64", "trainium2:64"], {"method": "qlora"}),
        ],
    )
    def test_kinds_of_run(
        self, shipped: Catalog, terms: Terms, model: str, on: list[str], options: Any
    ) -> None:
        request = request_of(shipped, model, on, tokens=[10**9, 10**12], **options)
        assert compare_with_train(request, shipped, terms).get("ok")

    def test_spot_and_discounts(self, shipped: Catalog, terms: Terms) -> None:
        granted = replace(terms, discounts={"aws": Decimal("0.125"), "gcp": Decimal("0.1")})
        for purchase in ("spot", "on-demand"):
            request = request_of(
                shipped,
                "llama-3.1-8b",
                ["h100:8", "h100:16"],
                placement={"purchase": purchase, "provider": "aws"},
                tokens=[10**9, 10**10, 10**11],
            )
            assert compare_with_train(request, shipped, granted)["ok"] == 6

    def test_a_purchase_that_ends_before_the_longer_runs(
        self, shipped: Catalog, terms: Terms
    ) -> None:
        request = request_of(
            shipped,
            "llama-3.1-8b",
            ["b200:8", "trainium2:16"],
            placement={"purchase": "capacity-block"},
            tokens=[10**9, 10**11, 10**12, 10**14],
        )
        seen = compare_with_train(request, shipped, terms)
        assert seen["ok"] >= 2
        assert seen["too_long"] >= 1

    def test_what_cannot_be_is_a_row_with_a_reason(self, shipped: Catalog, terms: Terms) -> None:
        request = request_of(shipped, "llama-3.1-405b", ["h100:8", "v6e-8", "h100:12", "h100:1024"])
        seen = compare_with_train(request, shipped, terms)
        assert seen["does_not_fit"] >= 2
        assert seen["ok"] == 1

    @settings(
        max_examples=25,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(st.integers(0, 2**32))
    def test_any_point(self, shipped: Catalog, terms: Terms, seed: int) -> None:
        pick = random.Random(seed)
        chips = [
            item.id
            for item in shipped.accelerators().values()
            if item.chip.can_train and item.rentable
        ]
        request = request_of(
            shipped,
            pick.choice(list(shipped.models())),
            [f"{pick.choice(chips)}:{pick.choice([1, 4, 8, 16, 64])}"],
            seq_lens=[pick.choice([1, 777, 4096, 32_768])],
            global_batches=[pick.choice([None, 1, 100_000, 4_000_000])],
            tokens=[pick.randrange(1, 10**15)],
            method=pick.choice(["full", "lora", "qlora"]),
            precision=pick.choice(["bf16", "fp8", "fp4"]),
            tuning=pick.choice([None, "tuned", "default", "out-of-box"]),
            whole_run=pick.random() < 0.2,
        )
        compare_with_train(request, shipped, terms)


class TestRows:
    def grid(self, shipped: Catalog) -> SweepRequest:
        return request_of(
            shipped,
            "llama-3.1-8b",
            ["h100:8", "h100:16", "h100:12"],
            seq_lens=[4096, 262_144],
            global_batches=[None, 131_072],
            tokens=[10**9, 2 * 10**9],
        )

    def test_csv_and_jsonl_say_the_same(self, shipped: Catalog, terms: Terms) -> None:
        request = self.grid(shipped)
        text = "".join(sweep_rows.lines(Sweep(request, shipped, terms), "csv"))
        rows = list(csv.DictReader(io.StringIO(text)))
        records = [
            json.loads(line) for line in sweep_rows.lines(Sweep(request, shipped, terms), "jsonl")
        ]
        assert len(rows) == len(records) == request.points
        for row, record in zip(rows, records, strict=True):
            assert list(row) == list(record) == list(sweep_rows.COLUMNS)
            for name, value in record.items():
                if value is None:
                    assert row[name] == ""
                elif isinstance(value, (int, float)):
                    assert float(row[name]) == value
                else:
                    assert row[name] == value

    def test_text_cannot_start_a_formula(self, shipped: Catalog, terms: Terms) -> None:
        request = self.grid(shipped)
        hardware = [replace(item, text='=1+1,"x') for item in request.hardware]
        request = replace(request, hardware=hardware)
        rows = list(
            csv.DictReader(
                io.StringIO("".join(sweep_rows.lines(Sweep(request, shipped, terms), "csv")))
            )
        )
        assert rows[0]["on"] == "'=1+1,\"x"

    def test_a_percent_sign_in_a_name_is_a_character(self, shipped: Catalog, terms: Terms) -> None:
        request = self.grid(shipped)
        hardware = [replace(item, text="100%s") for item in request.hardware]
        request = replace(request, hardware=hardware)
        for form in ("csv", "jsonl"):
            text = "".join(sweep_rows.lines(Sweep(request, shipped, terms), form))
            assert "100%s" in text

    def test_nothing_grows_with_the_grid(self, shipped: Catalog, terms: Terms) -> None:
        """The first million rows of a grid too large for any memory, at a flat peak."""
        import tracemalloc

        request = request_of(
            shipped,
            "llama-3.1-8b",
            ["h100:8"],
            seq_lens=range(1024, 1_000_000, 8),
            global_batches=range(2_000_000, 10**9, 1000),
            tokens=range(10**9, 10**15, 10**6),
        )
        lines = sweep_rows.lines(Sweep(request, shipped, terms), "csv")
        for _ in range(2_000):
            next(lines)
        tracemalloc.start()
        for _ in range(30_000):
            next(lines)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 300_000

    def test_distinct_configurations_leave_nothing_behind(
        self, shipped: Catalog, terms: Terms
    ) -> None:
        import tracemalloc

        request = request_of(
            shipped,
            "llama-3.1-8b",
            ["h100:8"],
            seq_lens=range(1024, 100_000, 8),
            global_batches=[1_000_000, 2_000_000],
        )
        lines = sweep_rows.lines(Sweep(request, shipped, terms), "csv")
        for _ in range(200):
            next(lines)
        tracemalloc.start()
        for _ in range(1_000):
            next(lines)
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(5_000):
            next(lines)
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert after - before < 100_000


def test_a_wrong_choice_is_refused(shipped: Catalog, terms: Terms) -> None:
    request = request_of(shipped, "llama-3.1-8b", ["h100:8"], method="half")
    with pytest.raises(CostcalcError):
        Sweep(request, shipped, terms)
