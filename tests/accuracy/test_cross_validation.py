"""How far off new runs are, and how often the interval holds: what the product promises."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from training_world import CATALOG

from costcalc.accuracy.scored import Scored, summarize
from costcalc.accuracy.tables import shipped_runs


@pytest.mark.parametrize(
    ("grouping", "median", "p90", "coverage"),
    [
        ("cluster", 10.0, 33.0, (0.75, 0.88)),
        ("source", 14.0, None, (0.72, 1.0)),
        ("family", 14.0, None, (0.75, 0.88)),
    ],
)
def test_targets_on_runs_that_the_constants_have_not_seen(
    held_out: Mapping[str, Scored],
    grouping: str,
    median: float,
    p90: float | None,
    coverage: tuple[float, float],
) -> None:
    found = summarize(held_out[grouping].rows)
    assert found.runs == 432
    assert found.median_abs_pct_error <= median
    assert p90 is None or found.p90_abs_pct_error <= p90
    assert coverage[0] <= found.interval_coverage <= coverage[1]


def test_no_row_counts_as_seen_and_none_is_lost(held_out: Mapping[str, Scored]) -> None:
    shipped = {row["id"] for row in shipped_runs(CATALOG)}
    for scored in held_out.values():
        assert not any(row.in_sample for row in scored.rows)
        assert {row.id for row in scored.rows} | {row.id for row in scored.skipped} == shipped
        assert {row.reason for row in scored.skipped} <= {"model_size_unknown", "no_rate"}
        assert set(scored.by(lambda row: row.group("group"))) != set()


def test_a_group_is_left_out_as_a_whole(held_out: Mapping[str, Scored]) -> None:
    """Rows of one source, held out together, are predicted by one and the same fit."""
    from training_world import CALIBRATION

    from costcalc.accuracy.training import score_training

    rows = [row for row in shipped_runs(CATALOG) if row["source_repo"] == "ROCm/cvs"]
    assert len(rows) == 2
    alone = score_training(rows, CATALOG, CALIBRATION, cross_validate="source")
    together = {row.id: row.predicted for row in held_out["source"].rows}
    for row in alone.rows:
        assert row.predicted == pytest.approx(together[row.id], rel=1e-6)


def test_a_new_run_takes_part_in_the_refit_of_others() -> None:
    from training_world import CALIBRATION

    from costcalc.accuracy.training import score_training

    new = {
        "id": "mine-1",
        "accelerator": "H100",
        "accelerator_count": "8",
        "model": "llama-3.1-8b",
        "seq_len": "8192",
        "global_batch_tokens": "1048576",
        "precision": "BF16",
        "tuning": "tuned",
        "tokens_per_s_per_chip": "8000",
        "source_repo": "me",
        "cluster": "mine",
    }
    scored = score_training([new], CATALOG, CALIBRATION, cross_validate="source")
    assert scored.rows[0].group("group") == "me"
    assert scored.rows[0].error_pct == pytest.approx(5, abs=25)
