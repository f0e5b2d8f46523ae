"""Headless Chromium over its debugging pipe: open a page, press keys, ask what it shows."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (apt install chromium)")
PATIENCE = 60.0  # seconds
KEY_CODES = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, "Home": 36, "End": 35, " ": 32}
KEY_CODES |= {"t": 84, "+": 187, "Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, "/": 191, "?": 191}
TYPED = {"Enter": "\r", " ": " "}  # what a key types, where it is more than itself


class Page:
    """One page. Raises AssertionError when the browser does not answer or a script fails."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes, self._number, self._rest = os.fdopen(reads, "rb", 0), writes, 0, b""
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._sent: dict[str, str] = {}
        self.errors: list[str] = []
        for domain in ("Page", "Network", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    _session = ""

    def _call(self, method: str, **params: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            chunk = self._reads.read(1 << 20)
            assert chunk, "the browser is gone"
            self._rest += chunk
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def _note(self, event: Any) -> None:
        if event.get("method") == "Network.requestWillBeSent":
            self._sent[event["params"]["requestId"]] = event["params"]["request"]["url"]
        elif event.get("method") == "Network.loadingFailed" and event["params"].get("blockedReason") == "csp":
            del self._sent[event["params"]["requestId"]]
        elif event.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(event["params"]["exceptionDetails"]))
        elif event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.errors.append(event["params"]["entry"]["text"])

    def open(self, path: Path, width: int = 1200, height: int = 800, theme: str = "light") -> None:
        """Show a file and wait until it has verified its game."""
        self.goto(path.resolve().as_uri(), width, height, theme)
        self.wait("document.documentElement?.dataset.verified !== undefined")

    def goto(self, address: str, width: int = 1280, height: int = 860, theme: str = "light") -> None:
        """Another address, on a screen of this size; below 600 pixels it is a phone with touch. Does not wait for scripts."""
        feature = {"name": "prefers-color-scheme", "value": theme}
        self._call("Emulation.setEmulatedMedia", media="", features=[feature])
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", **size)
        self._call("Emulation.setTouchEmulationEnabled", enabled=width < 600)
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=address)

    @property
    def requests(self) -> list[str]:
        """What the pages so far have asked for, without what their policy stopped."""
        return list(self._sent.values())

    def ask(self, script: str) -> Any:
        """The value of a JavaScript expression."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.ask(script):
            assert time.monotonic() < end, f"waited in vain for {script}; {self.errors}"
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            named = {"key": key, "code": key, "windowsVirtualKeyCode": KEY_CODES.get(key, ord(key[0].upper()))}
            typed = {"text": TYPED[key]} if key in TYPED else {}
            self._call("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **named, **typed)
            self._call("Input.dispatchKeyEvent", type="keyUp", **named)

    def type(self, text: str) -> None:
        """Text into the field that has the focus."""
        self._call("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        """The middle of an element."""
        box = self.ask(
            f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('{selector}').getBoundingClientRect())"
        )
        self.click_at(*box)

    def click_at(self, x: float, y: float) -> None:
        """A point of the window, with the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def move(self, x: float, y: float) -> None:
        """The mouse without a button, at a point of the window."""
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def drag(self, start: list[float], end: list[float]) -> None:
        """The mouse, its button held, from one point to another."""
        self._call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for part in (0.5, 1):
            x, y = (a + (b - a) * part for a, b in zip(start, end, strict=True))
            self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self._call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    @contextmanager
    def finger(self, x: float, y: float) -> Iterator[None]:
        """A finger that rests at a point."""
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        try:
            yield
        finally:
            self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def tap_at(self, x: float, y: float) -> None:
        """The same with a finger."""
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def axtree(self) -> list[dict[str, Any]]:
        """What a screen reader finds: role, name, node of everything that is not ignored."""
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        return [
            {"role": n["role"]["value"], "name": n.get("name", {}).get("value", ""), "node": n.get("backendDOMNodeId", 0)}
            for n in nodes
            if not n["ignored"]
        ]

    def activate(self, node: int) -> None:
        """What a screen reader does with a button: no pointer, no key."""
        found = self._call("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
        self._call("Runtime.callFunctionOn", objectId=found, functionDeclaration="function() { this.click(); }")

    def swipe(self, selector: str, by: int) -> None:
        """A finger moves across an element, by so many pixels to the right."""
        x, y = self.ask(
            f"(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector('{selector}').getBoundingClientRect())"
        )
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + by, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def text(self, selector: str) -> str:
        """What an element says."""
        return str(self.ask(f"document.querySelector('{selector}').innerText"))

    def picture(self) -> bytes:
        """The page as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot")["data"])

    def on_paper(self, width: int = 718, theme: str = "light") -> None:
        """The page laid out as it is printed, on a sheet of so many pixels: A4 has 718 between usual margins."""
        feature = {"name": "prefers-color-scheme", "value": theme}
        self._call("Emulation.setEmulatedMedia", media="print", features=[feature])
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=1047, deviceScaleFactor=1, mobile=False)

    def pdf(self) -> bytes:
        """The page as it is printed on A4, backgrounds left out as browsers do by default."""
        return base64.b64decode(self._call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"])

    def close(self) -> None:
        """End the browser."""
        os.write(self._writes, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")


@contextmanager
def browser() -> Iterator[Page]:
    """A page of a fresh browser."""
    assert CHROMIUM is not None
    to_read, to_write = os.pipe(), os.pipe()
    flags = "--headless --no-sandbox --disable-gpu --hide-scrollbars --remote-debugging-pipe --no-first-run"
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = f'exec "{CHROMIUM}" {flags} --user-data-dir="{profile}" about:blank 3<&{to_read[0]} 4>&{to_write[1]}'
        process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=(to_read[0], to_write[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_read[0])
        os.close(to_write[1])
        page = Page(to_write[0], to_read[1])
        try:
            yield page
        finally:
            page.close()
            process.wait(PATIENCE)
