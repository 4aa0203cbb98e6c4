"""Chart files, terminal plots, and the points that they share with the page."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
import small_quotes
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from costcalc.errors import InputError
from costcalc.reports import chart_file, html_report, plot, xlsx_report
from costcalc.reports.points import front, points, scale, short, timed

positive = st.floats(min_value=1e-3, max_value=1e12)


class TestChartFile:
    @pytest.mark.parametrize("form", ["svg", "png"])
    def test_the_same_quote_gives_the_same_bytes(self, form: str) -> None:
        quote = small_quotes.training(sensitivity=None)
        assert chart_file.render(quote, "es", form) == chart_file.render(quote, "es", form)

    def test_it_shows_what_the_quote_holds(self) -> None:
        whole = small_quotes.training()
        offers = replace(whole, sensitivity=None)
        neither = replace(offers, offers=())
        texts = [
            chart_file.render(quote, "en", "svg").decode()
            for quote in (whole, offers, neither, small_quotes.plan())
        ]
        for text, title in zip(
            texts,
            ("What moves the total most", "Alternatives", "What it costs", "What it costs"),
            strict=True,
        ):
            assert title in text
            assert "<text" in text  # letters stay letters
        assert "out-of-box" in texts[0]
        assert "16 x h100-sxm" in texts[1]
        assert "discount" in texts[2]

    def test_languages(self) -> None:
        text = chart_file.render(small_quotes.training(), "es", "svg").decode()
        assert "Qué mueve más el total" in text

    def test_png_is_a_picture(self) -> None:
        assert chart_file.render(small_quotes.plan(), "en", "png").startswith(b"\x89PNG")

    @pytest.mark.parametrize("path", ["a.pdf", "a", "svg", "a.svg.txt"])
    def test_other_endings_are_refused(self, path: str) -> None:
        with pytest.raises(InputError, match=r"must end in \.svg or \.png"):
            chart_file.check(path)

    def test_without_the_library_one_line_says_how_to_get_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(InputError) as raised:
            chart_file.check("a.svg")
        assert raised.value.message("en") == (
            "--chart needs matplotlib: pip install 'costcalc[charts]'."
        )


class TestPlot:
    @given(
        st.lists(
            st.tuples(st.text(max_size=60).map(lambda s: " ".join(s.split())), positive),
            min_size=1,
            max_size=12,
        ),
        st.integers(40, 140),
    )
    def test_bars_keep_the_width_and_the_figures(
        self, rows: list[tuple[str, float]], width: int
    ) -> None:
        items = [plot.Bar(label, value, f"{value:,.0f}") for label, value in rows]
        drawn = plot.bars(items, width).splitlines()
        assert len(drawn) == len(items)
        for line, item in zip(drawn, items, strict=True):
            assert cell_len(line) <= width
            assert line.endswith(item.shown)

    def test_bars_are_in_proportion(self) -> None:
        items = [plot.Bar("a", 100.0, "100"), plot.Bar("b", 50.0, "50"), plot.Bar("c", 0.0, "0")]
        lengths = [line.count("█") for line in plot.bars(items, 60).splitlines()]
        assert lengths[0] == 2 * lengths[1]
        assert lengths[2] == 0

    @given(
        st.lists(
            st.tuples(st.integers(0, 2000), st.decimals(1, 200, places=2)), min_size=1, max_size=10
        ),
        st.integers(40, 140),
    )
    def test_steps_keep_the_width_and_name_the_ends(
        self, rows: list[tuple[int, Decimal]], width: int
    ) -> None:
        found = sorted((date(2020, 1, 1) + timedelta(days), value) for days, value in rows)
        drawn = plot.steps(found, width)
        assert all(cell_len(line) <= width for line in drawn.splitlines())
        assert f"{max(value for _, value in found):,.2f}" in drawn
        assert found[0][0].isoformat() in drawn

    def test_steps_go_down_where_the_price_does(self) -> None:
        found = [(date(2026, 1, 1), Decimal(98)), (date(2026, 7, 1), Decimal(55))]
        top = plot.steps(found, 60, until=date(2026, 12, 31)).splitlines()[0]
        columns = top.split("│")[1]
        assert columns.startswith("█" * 20)
        assert columns.rstrip("█").strip("█ ") == ""
        assert len(columns.rstrip()) < 30

    def test_nothing_to_draw(self) -> None:
        assert plot.bars([], 80) == ""
        assert plot.steps([], 80) == ""


class TestPoints:
    def test_the_quote_is_among_its_offers(self) -> None:
        found = points(small_quotes.training())
        assert [item.quoted for item in found] == [False, False, True]

    def test_a_quote_that_no_offer_is_comes_last(self) -> None:
        quote = small_quotes.training()
        found = points(replace(quote, offers=quote.offers[:2]))
        assert [item.quoted for item in found] == [False, False, True]
        assert found[-1].usd == quote.totals.usd
        assert found[-1].number == ""

    def test_the_front_goes_from_fast_to_cheap(self) -> None:
        drawn = timed(points(small_quotes.training()))
        assert drawn is not None
        assert drawn.kind == "hours"
        line = front(drawn.pairs)
        assert len(line) == 2
        assert [hours for hours, _ in line] == sorted(hours for hours, _ in line)
        costs = [item.usd for _, item in line]
        assert costs == sorted(costs, reverse=True)

    def test_what_has_no_hours_is_listed_and_not_drawn(self) -> None:
        quote = small_quotes.training(sensitivity=None)
        endless = replace(
            quote,
            offers=tuple({**row, "hours": None} for row in quote.offers),
            workloads=(replace(quote.workloads[0], estimate=None, kind="machine"),),
        )
        assert timed(points(endless)) is None
        page = html_report.render(endless, "en")
        assert 'class="plot"' not in page
        assert "2,750.00" in page
        assert xlsx_report.render(endless, "en")[:2] == b"PK"
        assert "What it costs" in chart_file.render(endless, "en", "svg").decode()

    def test_services_are_told_apart_by_their_time_per_token(self) -> None:
        quote = small_quotes.training(sensitivity=None)
        offers = tuple(
            {**row, "hours": 730.0, "tpot_ms": 20.0 + row["rank"]} for row in quote.offers
        )
        served = replace(quote, offers=offers, kind="compare")
        drawn = timed(points(served))
        assert drawn is not None
        assert drawn.kind == "tpot_ms"
        page = html_report.render(served, "en")
        assert "ms per output token" in page
        assert "ms per output token" in chart_file.render(served, "en", "svg").decode()

    @given(st.lists(positive, min_size=1, max_size=20))
    def test_every_value_and_tick_is_on_the_axis(self, values: list[float]) -> None:
        axis = scale(values)
        assert all(0 <= axis.at(value) <= 1 for value in values)
        ticks = axis.ticks()
        assert 1 <= len(ticks) <= 16
        assert all(-1e-9 <= axis.at(tick) <= 1 + 1e-9 for tick in ticks if tick > 0)

    @pytest.mark.parametrize(
        ("value", "text"),
        [(1234.0, "1,234"), (25_000.0, "25k"), (3_400_000.0, "3.4M"), (2e9, "2B"), (12.5, "12.5")],
    )
    def test_short(self, value: float, text: str) -> None:
        assert short(value) == text
