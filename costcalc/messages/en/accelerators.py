"""The accelerator catalog."""

MESSAGES = {
    "title": "Accelerators ({count})",
    "vendor_option": "Only this vendor.",
    "name_argument": "Accelerator id or alias: h100, trillium, MI300X.",
    "train": "train",
    "serve": "serve",
    "status_available": "available",
    "status_announced": "ANNOUNCED",
    "status_retired": "retired",
    "column_id": "Id",
    "column_status": "Status",
    "column_use": "Use",
    "column_bf16": "BF16",
    "column_fp8": "FP8",
    "column_memory": "GB",
    "column_bandwidth": "GB/s",
    "column_figure": "Figure",
    "column_value": "Value",
    "column_confidence": "Confidence",
    "column_date": "Date",
    "column_source": "Source",
    "confidence_published": "published",
    "confidence_measured": "measured",
    "confidence_estimated": "ESTIMATED",
    "dense": (
        "BF16 and FP8 in TFLOP/s, GB of memory, GB/s of its bandwidth. Peaks are dense, never "
        "“with sparsity”; – is not published."
    ),
    "aliases": "Also",
    "software": "Software",
    "note": "Note",
    "sources": "Sources",
    "not_published": "Not published",
    "claims": "Claims (not specs, not measurements; no calculation uses them)",
    "claim": "{by}, {date}: {text}. Compared with: {baseline}. {source}",
    "no_baseline": "nothing named",
}
