"""Comparison of one service over all offers."""

MESSAGES = {
    "chips": "Chips",
    "cost_note": (
        "USD per million output tokens carries the whole bill, at the average load. Ranges hold 80% "
        "of measurements."
    ),
    "engine": "Engine",
    "evidence": "Evidence",
    "first_time": "First token p95, ms",
    "load_batch": "batch job",
    "load_closed": "{users} users at once",
    "load_open": "{rate} requests per second",
    "not_in_region": "no offer that can run this service stands in {region}. Nearest: {near}.",
    "notes": "Notes",
    "nothing": "no offer can run this service; left out: {reasons}.",
    "offer": "Offer",
    "on": (
        "Replicas to compare (chips, slices or machines), repeatable. Without it: every chip, with "
        "the smallest machines that hold a replica."
    ),
    "over_budget": (
        "every offer that can run the service costs more than {budget}; the cheapest costs USD "
        "{cheapest}."
    ),
    "pareto_note": "* nothing else listed is both cheaper and faster per token.",
    "per_million": "USD/M out",
    "per_million_range": "USD/M out, range",
    "price": "Price",
    "rank": "What the ranking is by.",
    "rank_cost": "cost of the schedule",
    "rank_token_cost": "cost per million output tokens at this load",
    "rank_token_time": "time per token",
    "ranked_by": "Ranked by",
    "rate": "Rate",
    "replicas": "Replicas",
    "service": "Service",
    "service_value": "{model} · {load} · {input} tokens in, {output} out{targets}",
    "target_tpot_ms": "each token within {limit} ms",
    "target_ttft_ms": "first token within {limit} ms",
    "tier_chip": "engine measured on other chips",
    "tier_engine": "engine and chip measured",
    "tier_measured": "model and chip measured",
    "tier_pooled": "pooled",
    "title": "Services compared",
    "token_time": "ms per token",
    "used": "Used",
}
