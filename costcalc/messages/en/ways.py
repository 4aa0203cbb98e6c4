"""Ways to buy and kinds of sellers, in words."""

MESSAGES = {
    "capacity_block": "capacity-block",
    "commit_1y": "commit-1y",
    "commit_3y": "commit-3y",
    "flex_start": "flex-start",
    "hyperscaler": "hyperscaler",
    "marketplace": "marketplace",
    "neocloud": "neocloud",
    "on_demand": "on-demand",
    "spot": "spot",
}
