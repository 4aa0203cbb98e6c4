"""Sweeps: a grid of training estimates."""

MESSAGES = {
    "on": "Chips or machines: a list (h100:64,h100:128), a range that doubles (h100:64..4096) or "
    "one with steps (h100:64..256+64); repeatable.",
    "tokens": "Tokens to train on: a list or range (1T,2T; 1T..16T doubles; 1T..15T+1T steps).",
    "seq_len": "Tokens per sequence, a list or range.",
    "global_batch": "Tokens per optimizer step, a list or range. Without it: the documented default.",
    "format": "csv (one header) or jsonl (one object a line).",
    "backwards": "{option}: the range {text!r} ends before it starts; write the smaller number first.",
    "too_many": "{option}: a range has at most {most} values; take larger steps.",
    "too_many_points": "the grid has {points} points, more than {most}; take fewer values or larger "
    "steps.",
    "nothing": "no point of the grid has a price; status: {reasons}.",
}
