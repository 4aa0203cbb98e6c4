"""The figures of `docs/accuracy.md` are those of the shipped table, as it is now."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from training_world import CATALOG, ROOT

from costcalc.accuracy.scored import Scored
from costcalc.accuracy.tables import shipped_runs


def test_rewriting_the_page_changes_nothing(
    held_out: Mapping[str, Scored], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import accuracy_report as tool

    page = tool.PAGE.read_text("utf-8")
    assert tool.render(page, tool.section(held_out, shipped_runs(CATALOG))) == page


def test_a_page_without_marks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import accuracy_report as tool

    with pytest.raises(ValueError):
        tool.render("no marks", "figures")
