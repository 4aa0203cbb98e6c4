"""Quantities that could not be read."""

MESSAGES = {
    "number": "{what}: {text!r} is not a number; write for example {example}.",
    "count_range": "{what}: {text!r} must be a whole number from {low:,} to {high:,}.",
    "number_range": "{what}: {text!r} must lie between {low:,} and {high:,}.",
    "duration": "{what}: {text!r} is not a duration; write for example {example}.",
    "money_currency": "{what}: {text!r} names no currency; write {example}USD or {example}MXN.",
    "money": "{what}: {text!r} is not an amount of money; write for example 20000USD.",
    "percent": "{what}: {text!r} is not a percentage from 0% to {high}%; write for example 12%.",
    "date": "{what}: {text!r} is not a date; write for example 2026-12-01.",
}
