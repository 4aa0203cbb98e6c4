"""The smallest catalog that is sound, as file contents."""

from __future__ import annotations

SMALL = {
    "accelerators/chips.yaml": """\
sources:
  sheet: {text: a data sheet, date: 2026-01-02}
accelerators:
  chip-a:
    name: Chip A
    vendor: acme
    family: chip
    status: available
    train: true
    serve: true
    aliases: [ay]
    figures:
      peak_bf16_tflops: {value: 100, source: sheet}
      hbm_gb: {value: 80, source: sheet}
""",
    "offers/acme.yaml": """\
provider: acme
market: neocloud
sources:
  list: {text: a price list, date: 2026-02-03}
instances:
  - instance_type: a.8
    accelerator: chip-a
    accelerator_count: 8
    prices:
      - purchase: on-demand
        as_of: 2026-02-03
        source: list
        usd_per_instance_hour:
          here: 16.40
""",
    "models/m.yaml": """\
sources:
  config: {text: a config, date: 2026-01-02}
models:
  tiny:
    layers: 2
    hidden: 64
    vocab: 1000
    ffn: 128
    attention:
      - {kind: full, layers: 2, heads: 4, kv_heads: 2, head_dim: 16}
    source: config
""",
    "rates.yaml": """\
sources:
  bank: {text: a bank, date: 2026-02-03}
usd_mxn:
  - source: bank
    rates:
      2026-02-03: 18.5
iva:
  general: {percent: 16, source: bank}
""",
}
