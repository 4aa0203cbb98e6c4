"""A serving quote beside hosted models and bought hardware, sized by the serving estimate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

from costcalc.errors import InputError, NoOfferError
from costcalc.estimate.serving_calibration import ServingCalibration, serving_calibration
from costcalc.estimate.serving_sizing import TARGET_UTILISATION
from costcalc.quote.api_prices import HostedPrice, RequestShape
from costcalc.quote.break_even import Fleet, largest
from costcalc.quote.serve import ServeRequest, choose, estimate_request, machines_for
from costcalc.quote.terms import Terms
from costcalc.quote.types import Quote, WorkloadQuote
from costcalc.quote.versus import OwnedPrice, Traffic, compare

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.estimate.serving import ServingEstimate

SECONDS_PER_HOUR = 3600
_ONE = Decimal(1)


def traffic_of(request: ServeRequest, estimate: ServingEstimate, option: str) -> Traffic:
    """The average load of a month, as requests.

    Raises:
        InputError: a batch job, which has no requests per second.
    """
    if estimate.load == "batch":
        raise InputError("economics.versus_needs_rate", option=option)
    rate = Decimal(repr(estimate.requests_per_s.middle)) * request.average_load
    month = rate * request.hours_per_month * SECONDS_PER_HOUR
    return Traffic(
        shape=shape_of(request),
        requests_per_month=month.quantize(_ONE),
        hours_per_month=request.hours_per_month,
    )


def shape_of(request: ServeRequest) -> RequestShape:
    """One request; prompts that the machines find in their cache are cached at an API too."""
    job = request.job()
    return RequestShape(
        input_tokens=job.input_tokens,
        output_tokens=job.output_tokens,
        cached_tokens=math.floor(job.input_tokens * request.cached_share),
    )


class SizedFleet:
    """Replicas as the serving estimate sizes them, on the machines of the quote's offer."""

    def __init__(
        self,
        request: ServeRequest,
        estimate: ServingEstimate,
        catalog: Catalog,
        terms: Terms,
    ) -> None:
        self._request = replace(request, concurrency=None, replicas=None)
        self._catalog = catalog
        self._constants: ServingCalibration = serving_calibration(catalog.calibration("serving"))
        offer = choose(request, estimate, catalog, terms).offer
        discount = terms.discounts.get(offer.provider, Decimal(0))
        self._usd_per_machine_month = (
            offer.usd_per_instance_hour * (_ONE - discount) * request.hours_per_month
        )
        self._offer = offer
        self._known: dict[Decimal, int | None] = {}
        # requests a month per request per second at the peak
        self._per_rate = request.hours_per_month * SECONDS_PER_HOUR * request.average_load
        per_replica = estimate.capacity_requests_per_s.middle / estimate.replicas
        if estimate.load != "open":
            per_replica = self._open_capacity(estimate)
        self._capacity = Decimal(repr(per_replica))

    def _open_capacity(self, estimate: ServingEstimate) -> float:
        """Requests per second of a replica when they arrive at random, within the targets."""
        rate = estimate.requests_per_s.middle
        found = self._estimate(rate)
        return found.capacity_requests_per_s.middle / found.replicas

    def _estimate(self, rate: float) -> ServingEstimate:
        request = replace(self._request, requests_per_s=rate)
        return estimate_request(request, self._catalog, self._constants)

    def usd_per_month(self, replicas: int) -> Decimal:
        """Whole machines for so many replicas, negotiated discount taken off."""
        size = self._request.placement.hardware.count
        return self._usd_per_machine_month * machines_for(self._offer, replicas, size)

    def replicas_for(self, requests: Decimal) -> int | None:
        """Replicas that the estimate gives to so many requests a month."""
        if requests not in self._known:
            rate = max(float(requests / self._per_rate), 1e-9)
            try:
                self._known[requests] = self._estimate(rate).replicas
            except NoOfferError:
                self._known[requests] = None
        return self._known[requests]

    def capacity(self, replicas: int) -> Decimal:
        """Requests a month that so many replicas could serve within the targets."""
        return self._capacity * replicas * self._per_rate

    def room(self, replicas: int) -> Decimal:
        """The most requests a month for which the estimate takes no more replicas than these."""
        share = Decimal(repr(TARGET_UTILISATION))
        most = (self.capacity(replicas) * share).to_integral_value(ROUND_FLOOR)

        def enough(requests: Decimal) -> bool:
            found = self.replicas_for(requests)
            return requests <= most and found is not None and found <= replicas

        return most if enough(most) else largest(enough, _ONE)

    def fleet(self) -> Fleet:
        """As the break-even wants it."""
        return Fleet(self.usd_per_month, self.replicas_for, self.room, self.capacity)


def with_versus(
    quote: Quote,
    request: ServeRequest,
    catalog: Catalog,
    terms: Terms,
    hosted: Sequence[HostedPrice],
    owned: Sequence[OwnedPrice],
    option: str = "--versus-api",
) -> Quote:
    """`quote` with APIs and bought hardware beside its machines.

    Raises:
        InputError: a batch job.
    """
    workload: WorkloadQuote = quote.workloads[0]
    offer = workload.offer
    assert offer is not None
    assert workload.estimate is not None
    estimate: ServingEstimate = workload.estimate.serving
    traffic = traffic_of(request, estimate, option)
    fleet = SizedFleet(request, estimate, catalog, terms).fleet()
    found, said = compare(
        traffic,
        fleet,
        f"{offer.provider} {offer.instance_type} {offer.region or '*'} {offer.purchase}",
        offer.as_of,
        offer.source,
        hosted,
        owned,
        terms.fx.usd_mxn,
    )
    return replace(quote, versus=found, notices=tuple(dict.fromkeys([*quote.notices, *said])))
