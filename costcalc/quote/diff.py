"""Two quotes, line by line, at one exchange rate, with the cause of every change.

Amounts are compared in USD. A price that is itself in MXN (electricity, salaries) is converted on
both sides at the rate of the later quote, so that a moved exchange rate is never told as a changed
cost: such a line shows no change, and `rate` as the reason why the two quotes print it differently.

The cause of a matched line:

* quantity changed, price not: `usage`; or `catalog` when the workload's inputs are the same, so
  that only the catalog's time model or hardware data can have moved it.
* price changed, quantity not: `catalog` when the catalogs differ and the offer, or everything that
  was asked, is the same; else `price` (another offer, purchase option, discount or own figure).
* both changed: the part that moved more, where the usage part is the change of quantity at the old
  price and the price part is the rest; the two add up to the change. A tie is `usage`.
* a share of other lines (discount, support) with the same percentage follows the line of its
  workload that changed most.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal

from costcalc.catalog.rates import ExchangeRate
from costcalc.quote import money
from costcalc.quote.pesos import usd_price
from costcalc.quote.plan_kinds import SHARE_UNIT
from costcalc.quote.stored import StoredLine, StoredQuote

Cause = Literal["usage", "price", "rate", "catalog", "added", "removed"]
CAUSES: tuple[Cause, ...] = ("usage", "price", "rate", "catalog", "added", "removed")


@dataclass(frozen=True, slots=True)
class Row:
    """One line on both sides; amounts in USD at the diff's rate.

    Attributes:
        change_pct: percent of `before_usd`; None where that is zero.
        cause: None where nothing changed.
        usage_usd, price_usd: parts of the change; they add up to `change_usd`.
    """

    workload: str
    item: str
    provider: str | None
    region: str | None
    sku: str | None
    before_usd: Decimal
    after_usd: Decimal
    cause: Cause | None
    usage_usd: Decimal
    price_usd: Decimal

    @property
    def change_usd(self) -> Decimal:
        """After less before."""
        return self.after_usd - self.before_usd

    @property
    def change_pct(self) -> Decimal | None:
        """The change in percent of the earlier amount."""
        return percent_change(self.before_usd, self.after_usd)


@dataclass(frozen=True, slots=True)
class Sums:
    """Before and after of a workload or of everything."""

    before_usd: Decimal
    after_usd: Decimal
    before_mxn: Decimal
    after_mxn: Decimal

    @property
    def change_usd(self) -> Decimal:
        """After less before, USD."""
        return self.after_usd - self.before_usd

    @property
    def change_mxn(self) -> Decimal:
        """After less before, MXN."""
        return self.after_mxn - self.before_mxn

    @property
    def change_pct(self) -> Decimal | None:
        """The change in percent of the earlier amount."""
        return percent_change(self.before_usd, self.after_usd)


@dataclass(frozen=True, slots=True)
class Diff:
    """Two quotes compared.

    Attributes:
        fx: the one rate, which is the later quote's.
        before_fx: the earlier quote's own rate.
        rows: every line of either side; their sums are the totals.
        by_workload: sums per workload, in the order of the rows.
        by_cause: change in USD per cause that occurs.
    """

    before: StoredQuote
    after: StoredQuote
    fx: ExchangeRate
    rows: tuple[Row, ...]
    by_workload: Mapping[str, Sums]
    by_cause: Mapping[str, Decimal]
    totals: Sums

    @property
    def before_fx(self) -> ExchangeRate:
        """The rate that the earlier quote was made at."""
        return self.before.fx


def percent_change(before: Decimal, after: Decimal) -> Decimal | None:
    """The change in percent, to 0.01; None where there was nothing before."""
    if before == 0:
        return None
    return ((after - before) / abs(before) * 100).quantize(Decimal("0.01"))


def compare(before: StoredQuote, after: StoredQuote, fx: ExchangeRate | None = None) -> Diff:
    """The diff of two quotes at `fx`, or at the rate of `after`."""
    rate = fx or after.fx
    rows = [
        _row(old, new, before, after, rate.usd_mxn)
        for old, new in _pairs(before.lines, after.lines)
    ]
    rows = _follow_bases(rows, before, after)
    workloads = dict.fromkeys(row.workload for row in rows)
    by_cause: dict[str, Decimal] = {}
    for row in rows:
        if row.cause is not None:
            by_cause[row.cause] = by_cause.get(row.cause, money.ZERO) + row.change_usd
    return Diff(
        before=before,
        after=after,
        fx=rate,
        rows=tuple(rows),
        by_workload={
            name: _sums((row for row in rows if row.workload == name), rate.usd_mxn)
            for name in workloads
        },
        by_cause=by_cause,
        totals=_sums(rows, rate.usd_mxn),
    )


def _sums(rows: Iterable[Row], usd_mxn: Decimal) -> Sums:
    found = list(rows)
    return Sums(
        before_usd=sum((row.before_usd for row in found), money.ZERO),
        after_usd=sum((row.after_usd for row in found), money.ZERO),
        before_mxn=sum((money.cents(row.before_usd * usd_mxn) for row in found), money.ZERO),
        after_mxn=sum((money.cents(row.after_usd * usd_mxn) for row in found), money.ZERO),
    )


def _pairs(
    before: Sequence[StoredLine], after: Sequence[StoredLine]
) -> list[tuple[StoredLine | None, StoredLine | None]]:
    """Lines that are the same thing: by full identity first, then by workload and item."""
    matched: dict[int, int] = {}
    for identity in (_full_key, _loose_key):
        waiting: dict[Any, list[int]] = {}
        for index, line in enumerate(before):
            if index not in matched:
                waiting.setdefault(identity(line), []).append(index)
        taken = set(matched.values())
        for index, line in enumerate(after):
            candidates = waiting.get(identity(line))
            if index not in taken and candidates:
                matched[candidates.pop(0)] = index
    pairs: list[tuple[StoredLine | None, StoredLine | None]] = [
        (line, after[matched[index]] if index in matched else None)
        for index, line in enumerate(before)
    ]
    used = set(matched.values())
    pairs += [(None, line) for index, line in enumerate(after) if index not in used]
    return pairs


def _full_key(line: StoredLine) -> tuple[Any, ...]:
    return (line.workload, line.item, line.provider, line.region, line.sku)


def _loose_key(line: StoredLine) -> tuple[Any, ...]:
    return (line.workload, line.item)


def _at_rate(line: StoredLine, own: Decimal, rate: Decimal) -> tuple[Decimal, Decimal]:
    """Unit price and amount of `line` at `rate`, when it was quoted at `own`."""
    if line.price_mxn is None or own == rate:
        return line.unit_price_usd, line.amount_usd
    price = usd_price(line.price_mxn, rate)
    return price, money.cents(line.quantity * price)


def _row(
    old: StoredLine | None,
    new: StoredLine | None,
    before: StoredQuote,
    after: StoredQuote,
    rate: Decimal,
) -> Row:
    shown = new or old
    assert shown is not None
    cause: Cause | None
    usage = price = money.ZERO
    old_amount = new_amount = money.ZERO
    if old is not None:
        old_price, old_amount = _at_rate(old, before.fx.usd_mxn, rate)
    if new is not None:
        new_price, new_amount = _at_rate(new, after.fx.usd_mxn, rate)
    change = new_amount - old_amount
    if old is None or new is None:
        cause, usage = ("added" if old is None else "removed"), change
    else:
        usage = money.cents((new.quantity - old.quantity) * old_price)
        if new_price == old_price:
            usage = change
        price = change - usage
        cause = _cause(old, new, usage, price, change, before, after)
    return Row(
        workload=shown.workload,
        item=shown.item,
        provider=shown.provider,
        region=shown.region,
        sku=shown.sku,
        before_usd=old_amount,
        after_usd=new_amount,
        cause=cause,
        usage_usd=usage,
        price_usd=price,
    )


def _cause(
    old: StoredLine,
    new: StoredLine,
    usage: Decimal,
    price: Decimal,
    change: Decimal,
    before: StoredQuote,
    after: StoredQuote,
) -> Cause | None:
    if not usage and not price:
        # at one rate nothing moved; the printed amounts differ by the rate alone
        return "rate" if old.amount_usd != new.amount_usd else None
    by_usage, by_price = _usage_cause(new, before, after), _price_cause(old, new, before, after)
    if not price:
        return by_usage
    if not usage:
        return by_price
    return by_usage if abs(usage) >= abs(price) else by_price


def _catalogs_differ(before: StoredQuote, after: StoredQuote) -> bool:
    return before.catalog != after.catalog or before.calibration != after.calibration


def _same_inputs(workload: str, before: StoredQuote, after: StoredQuote) -> bool:
    old, new = before.workloads.get(workload), after.workloads.get(workload)
    if old is None or new is None:
        return False
    return bool(comparable(old.inputs) == comparable(new.inputs))


def comparable(value: Any) -> Any:
    """Inputs in a form that is the same before and after a round trip through JSON."""
    if isinstance(value, Mapping):
        return {str(key): comparable(item) for key, item in value.items() if key != "prices_mxn"}
    if isinstance(value, list | tuple):
        return [comparable(item) for item in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float | Decimal):
        return Decimal(str(value)).normalize()
    return str(value)


def _usage_cause(new: StoredLine, before: StoredQuote, after: StoredQuote) -> Cause:
    same = _same_inputs(new.workload, before, after)
    return "catalog" if same and _catalogs_differ(before, after) else "usage"


def _price_cause(
    old: StoredLine, new: StoredLine, before: StoredQuote, after: StoredQuote
) -> Cause:
    if not _catalogs_differ(before, after):
        return "price"
    if _same_inputs(new.workload, before, after):
        return "catalog"
    was, now = before.workloads.get(old.workload), after.workloads.get(new.workload)
    offers = (was.offer if was else None, now.offer if now else None)
    same_offer = None not in offers and offers[0] == offers[1]
    return "catalog" if same_offer and _full_key(old) == _full_key(new) else "price"


def _follow_bases(rows: list[Row], before: StoredQuote, after: StoredQuote) -> list[Row]:
    """Discounts and fees of an unchanged percentage take the cause of what they are a share of."""
    shares_before = {_full_key(line): line for line in before.lines if line.unit == SHARE_UNIT}
    shares_after = {_full_key(line): line for line in after.lines if line.unit == SHARE_UNIT}
    shares = set(shares_before) | set(shares_after)
    loudest: dict[str, Row] = {}
    for row in rows:
        if _row_key(row) in shares or row.cause in (None, "added", "removed"):
            continue
        if row.workload not in loudest or abs(row.change_usd) > abs(
            loudest[row.workload].change_usd
        ):
            loudest[row.workload] = row
    found: list[Row] = []
    for row in rows:
        key = _row_key(row)
        old, new = shares_before.get(key), shares_after.get(key)
        base = loudest.get(row.workload)
        same_share = (
            old is not None and new is not None and old.unit_price_usd == new.unit_price_usd
        )
        if same_share and base is not None and row.cause is not None:
            usage = row.change_usd if base.cause == "usage" else money.ZERO
            row = replace(row, cause=base.cause, usage_usd=usage, price_usd=row.change_usd - usage)
        found.append(row)
    return found


def _row_key(row: Row) -> tuple[Any, ...]:
    return (row.workload, row.item, row.provider, row.region, row.sku)
