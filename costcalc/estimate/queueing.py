"""Waiting times: how long a request queues for a prefill, and for a place in the batch.

Formulas: Pollaczek-Khinchine for one server; Erlang C for several behind one queue, with the
Allen-Cunneen factor (ca^2 + cs^2)/2 for arrivals and services that are not exponential; exponential
tails. See Kleinrock, "Queueing Systems" (1975), and Allen, "Probability, Statistics and Queueing
Theory" (1990), section 5.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_LARGE = 2000


def erlang_c(servers: int, load: float) -> float:
    """Chance that an arrival waits, with `load` erlangs offered to `servers`; 1 from full on.

    Above 2,000 servers the Halfin-Whitt limit is used, which is exact there to three digits.
    """
    if load <= 0:
        return 0.0
    if load >= servers:
        return 1.0
    if servers > _LARGE:
        return _halfin_whitt(servers, load)
    blocking = 1.0
    for n in range(1, servers + 1):
        blocking = load * blocking / (n + load * blocking)
    return blocking / (1.0 - load / servers * (1.0 - blocking))


def _halfin_whitt(servers: int, load: float) -> float:
    beta = (servers - load) / math.sqrt(servers)
    density = math.exp(-beta * beta / 2.0) / math.sqrt(2.0 * math.pi)
    below = 0.5 * math.erfc(-beta / math.sqrt(2.0))
    if density == 0.0:
        return 0.0
    return 1.0 / (1.0 + beta * below / density)


@dataclass(frozen=True, slots=True)
class Queue:
    """A queue in front of equal servers.

    Attributes:
        waits: chance of waiting at all.
        scale_s: mean wait of those that wait, seconds; infinite when overloaded.
    """

    waits: float
    scale_s: float

    @property
    def mean_s(self) -> float:
        """Mean wait of all arrivals, seconds."""
        return self.waits * self.scale_s if self.waits else 0.0

    def quantile_s(self, share: float) -> float:
        """The wait that `share` of the arrivals stay below, seconds."""
        if self.waits <= 1.0 - share:
            return 0.0
        return self.scale_s * math.log(self.waits / (1.0 - share))


def queue(
    servers: int,
    arrivals_per_s: float,
    service_s: float,
    *,
    arrival_cv: float = 1.0,
    service_cv: float = 0.0,
) -> Queue:
    """The queue of `arrivals_per_s` at `servers` that each take `service_s` per arrival.

    Args:
        servers: behind one queue (least-loaded routing comes close to it).
        arrivals_per_s: of all servers together.
        service_s: mean service time.
        arrival_cv: coefficient of variation of the times between arrivals; 1 is Poisson.
        service_cv: of the service times; 0 is constant (prompts of one length).
    """
    load = arrivals_per_s * service_s
    if load <= 0:
        return Queue(0.0, 0.0)
    if load >= servers:
        return Queue(1.0, math.inf)
    variation = (arrival_cv * arrival_cv + service_cv * service_cv) / 2.0
    return Queue(erlang_c(servers, load), variation * service_s / (servers - load))
