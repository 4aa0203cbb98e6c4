"""Validates `offers/*.yaml` and turns them into the compact rows that are compiled."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import pairwise
from typing import Any

from costcalc.catalog.compile_accelerators import find_source, source_table
from costcalc.catalog.fields import Fields, decimal_of, fault, mapping, sequence
from costcalc.catalog.names import nearest, normal
from costcalc.catalog.yamlfile import Node

PURCHASES = ("on-demand", "spot", "commit-1y", "commit-3y", "capacity-block", "flex-start")
MARKETS = ("hyperscaler", "neocloud", "marketplace")
CONFIDENCES = ("listed", "quoted", "estimated")
_TOP = ("provider", "market", "sources", "instances")
_INSTANCE = (
    "instance_type",
    "accelerator",
    "accelerator_count",
    "accelerator_as_listed",
    "vcpus",
    "memory_gib",
    "family",
    "market",
    "scaleout",
    "scaleout_source",
    "max_accelerators",
    "multiple_of",
    "prices",
)
_PRICE = (
    "purchase",
    "purchase_as_listed",
    "term",
    "market",
    "region_scope",
    "usd_per_instance_hour",
    "usd_per_accelerator_hour",
    "as_of",
    "source",
    "confidence",
    "note",
    "ended",
)
_HIGHEST = 100_000
_EIGHT_DIGITS = Context(prec=8, rounding=ROUND_HALF_UP)
# Prices of one family follow the count. A larger machine may cost less per accelerator (a small one
# often has a big host), yet each further accelerator adds at least this share of the first; and its
# price per accelerator stays under this multiple. A copied price adds nothing, one that was
# multiplied twice doubles at least.
_LEAST_ADDED = Decimal("0.35")
_MOST_SHARE = Decimal("1.9")
_EXACT_DIGITS = 14
_TOLERANCE = Decimal("0.0005")


class _Strings:
    """Texts that repeat, kept once."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self._index: dict[str, int] = {}

    def add(self, text: str) -> int:
        if text not in self._index:
            self._index[text] = len(self.items)
            self.items.append(text)
        return self._index[text]


class _Builder:
    def __init__(self, accelerators: Collection[str]) -> None:
        self.accelerators = accelerators
        self.strings = _Strings()
        self.instances: list[list[Any]] = []
        self.rows: list[list[Any]] = []
        self.seen: dict[tuple[Any, ...], Node] = {}
        self.kinds: set[tuple[str, str, str]] = set()
        self.families: dict[tuple[Any, ...], list[tuple[int, Decimal, Node]]] = {}

    def file(self, root: Node) -> None:
        top = Fields(root, "offers", _TOP)
        provider = top.text("provider")
        if normal(provider) != provider:
            raise fault(
                top.at("provider"), "provider", "bad_id", name=provider, right=normal(provider)
            )
        market = top.choice("market", MARKETS)
        sources = source_table(top)
        for node in sequence(top.at("instances"), "instances"):
            self.instance(provider, market, sources, node)

    def instance(
        self, provider: str, market: str, sources: dict[str, tuple[str, str]], node: Node
    ) -> None:
        fields = Fields(node, "instances", _INSTANCE)
        accelerator = fields.text("accelerator")
        if accelerator not in self.accelerators:
            near = nearest(accelerator, self.accelerators) or sorted(self.accelerators)
            raise fault(
                fields.at("accelerator"),
                "accelerator",
                "unknown_accelerator",
                name=accelerator,
                names=", ".join(near),
            )
        count = fields.whole("accelerator_count", high=100_000)
        kind = fields.text("instance_type")
        if (provider, kind, accelerator) in self.kinds:
            raise fault(fields.at("instance_type"), "instance_type", "duplicate_entry", name=kind)
        self.kinds.add((provider, kind, accelerator))
        vcpus = fields.optional_decimal("vcpus", low=Decimal("0.01"), high=10_000)
        memory = fields.optional_decimal("memory_gib", low=Decimal("0.01"), high=1_000_000)
        self.instances.append(
            [
                provider,
                kind,
                accelerator,
                count,
                _number(vcpus),
                _number(memory),
                _scaleout(fields, sources),
                fields.optional_whole("max_accelerators"),
                fields.optional_whole("multiple_of") or 1,
                fields.optional_text("accelerator_as_listed"),
            ]
        )
        family = fields.optional_text("family", accelerator)
        own_market = fields.choice("market", MARKETS, default=market)
        for price in sequence(fields.at("prices"), "prices"):
            self.price(price, sources, own_market, family)

    def price(
        self, node: Node, sources: dict[str, tuple[str, str]], market: str, family: str
    ) -> None:
        fields = Fields(node, "prices", _PRICE)
        purchase = fields.choice("purchase", PURCHASES)
        as_of = fields.date("as_of")
        term = fields.optional_text("term")
        market = fields.choice("market", MARKETS, default=market)
        source, _ = find_source(fields, sources)
        ended = fields.date("ended") if "ended" in fields else ""
        if ended and ended < as_of:
            raise fault(fields.at("ended"), "ended", "ended_before", value=ended, as_of=as_of)
        scope = fields.optional_text("region_scope", "region")
        common = [
            self.strings.add(scope),
            purchase,
            fields.optional_text("purchase_as_listed", purchase),
            term,
            market,
            as_of,
            self.strings.add(source),
            fields.choice("confidence", CONFIDENCES, default="listed"),
            self.strings.add(fields.optional_text("note")),
            ended,
        ]
        number = len(self.instances) - 1
        for region, place, per_instance, per_accelerator in self._amounts(fields, scope):
            instance = self.instances[number]
            key = (*instance[:3], region or "", purchase, term, market, as_of)
            if key in self.seen:
                first = self.seen[key]
                raise fault(
                    place,
                    region or "prices",
                    "duplicate_offer",
                    name=" ".join(part for part in key if part),
                    first=f"{first.file}, {first.line}",
                )
            self.seen[key] = place
            group = (instance[0], family, instance[2], region, purchase, term, market, as_of)
            self.families.setdefault(group, []).append((instance[3], per_instance, place))
            self.rows.append([number, region, _text(per_instance), _text(per_accelerator), *common])

    def _amounts(
        self, fields: Fields, scope: str
    ) -> Iterable[tuple[str | None, Node, Decimal, Decimal]]:
        """(region, place, USD per instance-hour, USD per accelerator-hour) of one entry."""
        count = self.instances[-1][3]
        by_instance = self._by_region(fields, "usd_per_instance_hour", scope)
        by_accelerator = self._by_region(fields, "usd_per_accelerator_hour", scope)
        if not by_instance and not by_accelerator:
            raise fault(fields.node, "usd_per_instance_hour", "missing_key")
        for region in dict.fromkeys((*by_instance, *by_accelerator)):
            if region not in by_instance:
                place, single = by_accelerator[region]
                yield region, place, single * count, single
                continue
            place, whole = by_instance[region]
            single = _per_accelerator(whole, count)
            if region in by_accelerator:
                place, stated = by_accelerator[region]
                if abs(stated * count - whole) > whole * _TOLERANCE:
                    raise fault(
                        place,
                        "usd_per_accelerator_hour",
                        "price_mismatch",
                        whole=whole,
                        single=stated,
                        count=count,
                        right=single,
                    )
            yield region, place, whole, single

    def _by_region(
        self, fields: Fields, key: str, scope: str
    ) -> dict[str | None, tuple[Node, Decimal]]:
        if key not in fields:
            return {}
        node = fields.at(key)
        if isinstance(node.value, dict):
            if scope != "region":
                raise fault(node, key, "scope_with_regions", scope=scope)
            return {
                region: (child, decimal_of(child, region, low=0, high=_HIGHEST))
                for region, child in mapping(node, key).items()
            }
        if scope == "region":
            raise fault(node, key, "regions_missing")
        return {None: (node, decimal_of(node, key, low=0, high=_HIGHEST))}

    def check_families(self) -> None:
        for group, members in self.families.items():
            by_count: dict[int, tuple[Decimal, Node]] = {}
            for count, price, place in members:
                if price and (count not in by_count or price < by_count[count][0]):
                    by_count[count] = (price, place)
            counts = sorted(by_count)
            for small, large in pairwise(counts):
                cheap, _ = by_count[small]
                price, place = by_count[large]
                times, ratio = Decimal(large) / small, price / cheap
                # spot prices of two sizes move apart; an equal price is a copy all the same
                wrong = (
                    price == cheap
                    if group[4] == "spot"
                    else not 1 + _LEAST_ADDED * (times - 1) <= ratio <= _MOST_SHARE * times
                )
                if wrong:
                    raise fault(
                        place,
                        "usd_per_instance_hour",
                        "price_does_not_scale",
                        price=price,
                        count=large,
                        other=cheap,
                        other_count=small,
                    )


def compile_offers(files: Iterable[Node], accelerators: Collection[str]) -> dict[str, Any]:
    """All offers of the room as rows.

    Args:
        files: trees of the files.
        accelerators: valid accelerator ids.

    Raises:
        InputError: a fault, with file, line and key.
    """
    builder = _Builder(accelerators)
    for root in files:
        builder.file(root)
    builder.check_families()
    dates = sorted(row[9] for row in builder.rows) or [""]
    return {
        "strings": builder.strings.items,
        "instances": builder.instances,
        "rows": builder.rows,
        "newest": dates[-1],
        "oldest": dates[0],
    }


def _scaleout(fields: Fields, sources: dict[str, tuple[str, str]]) -> bool | None:
    """Whether instances join to one job; a statement needs its source."""
    if "scaleout" in fields:
        find_source(fields, sources, "scaleout_source")
    return fields.boolean("scaleout")


def _per_accelerator(whole: Decimal, count: int) -> Decimal:
    """An even share of a machine's price: exact where it ends (by 8, 16), else eight digits."""
    share = whole / count
    if share * count != whole or len(share.as_tuple().digits) > _EXACT_DIGITS:
        share = _EIGHT_DIGITS.divide(whole, Decimal(count))
    return Decimal(format(share.normalize(), "f"))


def _text(price: Decimal) -> str:
    """A price as it is compiled: all its digits, and plain 0 for what is not sold."""
    return format(price, "f") if price else "0"


def _number(value: Decimal | None) -> float | int | None:
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)
