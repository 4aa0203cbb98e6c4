"""A grid of training quotes, point by point: what a configuration costs per token is worked out
once, the rest is arithmetic.

Every figure is the one that `costcalc.quote.train.quote_training` gives for that point: the same
functions, in the same order of operations. Nothing is kept that grows with the grid.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from costcalc.errors import NoOfferError
from costcalc.estimate.calibration import TrainingCalibration, training_calibration
from costcalc.estimate.layout import least_sequences
from costcalc.estimate.training import (
    BilledTime,
    RunTimes,
    check_job,
    default_batch_tokens,
    demand,
    precisions,
)
from costcalc.quote import money
from costcalc.quote.select import refuse_unrentable, rules_of, select
from costcalc.quote.spot import redone_line
from costcalc.quote.terms import Terms, discount_lines
from costcalc.quote.train import TrainRequest, compute_line
from costcalc.quote.types import OfferChoice

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.hardware import Hardware
    from costcalc.estimate.training import TrainingEstimate
    from costcalc.quote.limits import Renting

OK = "ok"


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """The grid: every combination of its four axes.

    Attributes:
        base: everything that is the same at every point; its own tokens, sequence length, batch
            and hardware are not looked at.
        hardware: chips or machines, the outermost axis.
        seq_lens: tokens per sequence.
        global_batches: tokens per optimizer step; None is the documented default.
        tokens: tokens of the data set, the innermost axis.
    """

    base: TrainRequest
    hardware: Sequence[Hardware]
    seq_lens: Sequence[int]
    global_batches: Sequence[int | None]
    tokens: Sequence[int]

    @property
    def points(self) -> int:
        """How many points the grid has."""
        return len(self.hardware) * len(self.seq_lens) * len(self.global_batches) * len(self.tokens)


@dataclass(slots=True, eq=False)
class Configuration:
    """A point of the grid without its tokens: hardware, context, batch, and what follows.

    Attributes:
        batch_tokens: tokens per optimizer step, given or assumed.
        status: `ok`, or why there is no estimate.
        time: chip-seconds per token; None without an estimate.
        mfu: model FLOPs utilisation; None likewise.
    """

    hardware: Hardware
    seq_len: int
    batch_tokens: float
    status: str
    time: BilledTime | None = None
    mfu: float | None = None


class Figures(NamedTuple):
    """What one point costs. Totals are those of the quote without IVA, discounts taken off
    and work of spot machines done again added.

    Hours are the shortest decimals that read back as the floats of the estimate.
    """

    offer: OfferChoice | None
    tokens: int
    status: str
    hours: Decimal | None = None
    hours_low: Decimal | None = None
    hours_high: Decimal | None = None
    usd: Decimal | None = None
    usd_low: Decimal | None = None
    usd_high: Decimal | None = None
    mxn: Decimal | None = None
    mxn_low: Decimal | None = None
    mxn_high: Decimal | None = None


def reason_code(error: NoOfferError) -> str:
    """The name of an error as a status, `does_not_fit`."""
    return error.key.rpartition(".")[2]


class Sweep:
    """The grid of one request.

    Args:
        catalog: prices and chips.
        terms: rate, date, discounts. IVA and budget play no part.

    Attributes:
        quoted: whether any point so far has a price.
        reasons: statuses so far of points that have none.
    """

    def __init__(
        self,
        request: SweepRequest,
        catalog: Catalog,
        terms: Terms,
        calibration: TrainingCalibration | None = None,
    ) -> None:
        self.request, self.catalog, self.terms = request, catalog, terms
        self.calibration = calibration or training_calibration(catalog.calibration("training"))
        self._job = replace(request.base.job(), global_batch_tokens=None)
        check_job(self._job)
        self._times: dict[str, RunTimes] = {}
        self._offers: _Offers | None = None
        self.quoted = False
        self.reasons: set[str] = set()
        self._rules = rules_of(catalog)
        limits = self._rules.purchase_limits.values()
        # lengths of a run at which a purchase option ends: the offer changes nowhere else
        self.ends = sorted({math.inf, *(rule.max_hours for rule in limits if rule.max_hours)})

    def configurations(self) -> Iterator[Configuration]:
        """Every combination of hardware, context and batch, in that order."""
        for hardware in self.request.hardware:
            refused = self._refused(hardware)
            unsupported = None if refused else self._unsupported(hardware)
            for seq_len in self.request.seq_lens:
                yield from self._with_batches(hardware, seq_len, refused, unsupported)

    def _refused(self, hardware: Hardware) -> str | None:
        """Why a chip can be given no run at all."""
        try:
            refuse_unrentable(hardware)
        except NoOfferError as error:
            return reason_code(error)
        return None if hardware.accelerator.chip.can_train else "serves_only"

    def _unsupported(self, hardware: Hardware) -> str | None:
        """Why a chip cannot train in the precision asked for."""
        try:
            precisions(hardware.accelerator.chip, self.request.base.precision)
        except NoOfferError as error:
            return reason_code(error)
        return None

    def times(self, hardware: Hardware) -> RunTimes:
        """The time model of the job on a chip."""
        chip = hardware.accelerator.chip
        found = self._times.get(chip.id)
        if found is None:
            found = RunTimes(self._job, chip, self.calibration)
            self._times[chip.id] = found
        return found

    def _with_batches(
        self, hardware: Hardware, seq_len: int, refused: str | None, unsupported: str | None
    ) -> Iterator[Configuration]:
        job = replace(self._job, seq_len=seq_len)
        chip, count = hardware.accelerator.chip, hardware.count
        frozen = job.method != "full"
        least: int | None = None
        if refused is None and unsupported is None:
            need = demand(job, chip, float(seq_len))
            least = 1 if need is None else least_sequences(need, count)
            flops = job.architecture.training_flops_per_token(seq_len, frozen_base=frozen)
            peak = chip.peak_tflops[job.precision] * 1e12
            times = self.times(hardware)
        for given in self.request.global_batches:
            if given is None:
                batch = default_batch_tokens(float(count), float(seq_len), small=frozen)
            else:
                batch = float(given)
            # in the order in which `quote_training` finds them
            if refused is not None:
                yield Configuration(hardware, seq_len, batch, refused)
            elif batch < seq_len:
                yield Configuration(hardware, seq_len, batch, "batch_below_sequence")
            elif unsupported is not None:
                yield Configuration(hardware, seq_len, batch, unsupported)
            elif least is None or max(int(batch // seq_len), 1) < least:
                yield Configuration(hardware, seq_len, batch, "does_not_fit")
            else:
                time = times.at(count, batch, seq_len)
                mfu = flops * (1.0 / time.steady) / peak
                yield Configuration(hardware, seq_len, batch, OK, time, mfu)

    def figures(self, configuration: Configuration) -> Iterator[Figures]:
        """One point for each number of tokens."""
        return map(Figures._make, self.values(configuration))

    def values(self, configuration: Configuration) -> Iterator[tuple[Any, ...]]:
        """The fields of `Figures` as plain tuples, for those who need millions."""
        time = configuration.time
        nothing = (None,) * 9
        if time is None:
            self.reasons.add(configuration.status)
            for tokens in self.request.tokens:
                yield None, tokens, configuration.status, *nothing
            return
        count = configuration.hardware.count
        billed, low, high = time.billed, time.billed_low, time.billed_high
        epochs = self.request.base.epochs
        offers = self._offers_of(configuration.hardware)
        once = epochs == 1
        pricer: _Pricer | str = ""
        above, up_to = 0.0, 0.0
        for tokens in self.request.tokens:
            # the order of operations of `estimate_training`, so that both give the same floats
            trained = float(tokens) if once else float(tokens * epochs)
            to_hours = trained / count / 3600.0
            hours = billed * to_hours
            if not above < hours <= up_to:
                pricer, above, up_to = offers.for_hours(hours)
            middle = Decimal(repr(hours))
            shortest = Decimal(repr(low * to_hours))
            longest = Decimal(repr(high * to_hours))
            if isinstance(pricer, str):
                yield None, tokens, pricer, middle, shortest, longest, *nothing[:6]
            else:
                totals = pricer.totals(middle, shortest, longest)
                yield pricer.offer, tokens, OK, middle, shortest, longest, *totals

    def _offers_of(self, hardware: Hardware) -> _Offers:
        if self._offers is None or self._offers.hardware is not hardware:
            self._offers = _Offers(self, hardware, self._rules)
        return self._offers


@dataclass(slots=True)
class _Offers:
    """The offer that a run of some length is priced on: it changes only where a purchase ends."""

    sweep: Sweep
    hardware: Hardware
    rules: Renting
    found: dict[int, _Pricer | str] = field(default_factory=dict)

    def for_hours(self, hours: float) -> tuple[_Pricer | str, float, float]:
        """Prices of runs of that length (or why there are none), and between which lengths."""
        ends = self.sweep.ends
        bucket = bisect_left(ends, hours)
        pricer = self.found.get(bucket)
        if pricer is None:
            pricer = self.found[bucket] = self._select(hours)
        return pricer, ends[bucket - 1] if bucket else 0.0, ends[bucket]

    def _select(self, hours: float) -> _Pricer | str:
        sweep = self.sweep
        placement = replace(sweep.request.base.placement, hardware=self.hardware)
        try:
            choice = select(placement, sweep.catalog, sweep.terms.as_of, hours=hours).choice
        except NoOfferError as error:
            sweep.reasons.add(reason_code(error))
            return reason_code(error)
        sweep.quoted = True
        terms = sweep.terms
        plain = choice.purchase != "spot" and choice.provider not in terms.discounts
        return _Pricer(choice, terms, self.rules, choice.instances, plain, terms.fx.usd_mxn)


class _Hours(NamedTuple):
    """What pricing looks at in an estimate."""

    hours: Decimal
    hours_low: Decimal
    hours_high: Decimal


@dataclass(frozen=True, slots=True)
class _Pricer:
    """Totals of a run on one offer.

    Attributes:
        plain: nothing but machine hours: no work done again, no discount.
    """

    offer: OfferChoice
    terms: Terms
    rules: Renting
    instances: int
    plain: bool
    usd_mxn: Decimal

    def totals(self, hours: Decimal, low: Decimal, high: Decimal) -> tuple[Decimal, ...]:
        """USD, its low and high, then the same in MXN."""
        if not self.plain:
            return self._of_lines(_Hours(hours, low, high))
        # the one line of most points, without its record: `money.quantity` and `money.cents`
        rounded, cent, quantum = money.rounded, money.CENT, money.QUANTUM
        count, price, rate = self.instances, self.offer.usd_per_instance_hour, self.usd_mxn
        usd = rounded(rounded(hours * count, quantum) * price, cent)
        usd_low = rounded(rounded(low * count, quantum) * price, cent)
        usd_high = rounded(rounded(high * count, quantum) * price, cent)
        return (
            usd,
            usd_low,
            usd_high,
            rounded(usd * rate, cent),
            rounded(usd_low * rate, cent),
            rounded(usd_high * rate, cent),
        )

    def _of_lines(self, hours: _Hours) -> tuple[Decimal, ...]:
        lines = [compute_line("", cast("TrainingEstimate", hours), self.offer, self.terms)]
        again = redone_line(lines[0], self.offer, self.rules, self.terms.fx.usd_mxn)
        lines += [again] if again else []
        sums = money.totals([*lines, *discount_lines(lines, self.terms)])
        return sums.usd, sums.usd_low, sums.usd_high, sums.mxn, sums.mxn_low, sums.mxn_high
