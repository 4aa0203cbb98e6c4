"""Warnings of a quote. The keys are the closed list of codes of the JSON (docs/reference.md)."""

MESSAGES: dict[str, str] = {
    "estimated_price": "the price of {what} is an estimate, not a listed price ({source})",
    "not_sold_on_demand": "{accelerator} is not sold on demand; quoted as {purchase}",
    "old_price": "the price of {what} is from {date}, {days} days old; prices move",
    "old_rate": "the exchange rate is from {date}, {days} days old",
    "uniform_price": "{provider} publishes one price for many regions ({scope}): it proves the "
    "price, not that the accelerator is in a given region",
    "whole_machines": "{asked} accelerators were asked for; whole machines hold {rented}, and all "
    "are paid",
}
