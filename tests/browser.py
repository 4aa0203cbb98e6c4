"""Headless Chromium for tests, driven over the W3C WebDriver protocol."""

from __future__ import annotations

import base64
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)


def programs() -> tuple[str, str] | None:
    """Paths of Chromium and its driver, None where one is missing."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


class Page:
    """One browser window."""

    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client, self._session = client, session

    def _post(self, path: str, **body: Any) -> Any:
        answer = self._client.post(f"/session/{self._session}/{path}", json=body)
        answer.raise_for_status()
        return answer.json()["value"]

    def open(self, path: Path) -> None:
        """Load a file."""
        self._post("url", url=path.resolve().as_uri())

    def cdp(self, command: str, **params: Any) -> Any:
        """A command of the DevTools protocol."""
        return self._post("goog/cdp/execute", cmd=command, params=params)

    def width(self, pixels: int, height: int = 900) -> None:
        """Lay the page out at a width."""
        self.cdp(
            "Emulation.setDeviceMetricsOverride",
            width=pixels,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def scheme(self, name: str) -> None:
        """`light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": name}]
        self.cdp("Emulation.setEmulatedMedia", features=features)

    def run(self, script: str, *args: Any) -> Any:
        """The value that a script returns."""
        return self._post("execute/sync", script=script, args=list(args))

    def run_async(self, script: str, *args: Any) -> Any:
        """The value that a script hands to its last argument, a function."""
        return self._post("execute/async", script=script, args=list(args))

    def press(self, key: str) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self.cdp(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=9
            )

    def console(self) -> list[dict[str, Any]]:
        """What the console said since the last call."""
        return self._post("se/log", type="browser")  # type: ignore[no-any-return]

    def pdf(self) -> bytes:
        """The page as printed."""
        return base64.b64decode(self._post("print", background=True))

    def screenshot(self, *, whole: bool = True) -> bytes:
        """A picture of the window, or of the whole page."""
        shot = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return base64.b64decode(shot["data"])


@contextmanager
def chromium() -> Iterator[Page]:
    """A window of a fresh browser; everything is gone afterwards."""
    found = programs()
    assert found is not None
    browser, driver = found
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen(
            [driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert process.stdout is not None
            port = next(
                match[1]
                for line in process.stdout
                if (match := re.search(r"started successfully on port (\d+)", line))
            )
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False
            ) as client:
                options = {"binary": browser, "args": [*FLAGS, f"--user-data-dir={profile}"]}
                wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
                answer = client.post(
                    "/session", json={"capabilities": {"alwaysMatch": wanted}}
                ).json()["value"]
                assert "sessionId" in answer, answer
                page = Page(client, answer["sessionId"])
                try:
                    yield page
                finally:
                    client.delete(f"/session/{answer['sessionId']}")
        finally:
            process.terminate()
            process.wait(timeout=20)
