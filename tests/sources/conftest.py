"""Fixtures of the live sources."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sources.bench import AWS_ENDPOINTS, ROOT, Bench

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The repository's catalog."""
    return catalogs.load(ROOT / "pricing", cache_dir=tmp_path_factory.mktemp("cache"))


@pytest.fixture
def bench(tmp_path: Path, shipped: Catalog, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """A bench with an empty store and a clean environment."""
    for name in (
        *AWS_ENDPOINTS,
        "AWS_ENDPOINT_URL",
        "AWS_PROFILE",
        "AWS_SESSION_TOKEN",
        "GOOGLE_API_KEY",
        "BANXICO_TOKEN",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "no-config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "no-credentials"))
    with ExitStack() as stack:
        yield Bench(tmp_path / "data" / "prices.sqlite3", shipped, monkeypatch, stack)
