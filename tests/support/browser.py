"""A real browser for tests: Chromium of the machine, with what a page asks for and prints."""

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
_OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@dataclass
class Seen:
    """A page of the browser, the addresses it asked for and the messages of its console."""

    page: object
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    @property
    def from_elsewhere(self):
        """The requests that left the machine."""
        local = ("file:", "data:", "blob:", "about:", "http://127.0.0.1", "http://localhost")
        return [x for x in self.requests if not x.startswith(local)]


@contextmanager
def opened(address, **context):
    """A page in Chromium; the test is skipped where there is no browser.

    `context` are options of a browser context of Playwright, such as `viewport`, `color_scheme`,
    `locale` and `has_touch`.
    """
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=_OPTIONS)
        seen = Seen(browser.new_context(**context).new_page())
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.on("console", lambda message: seen.messages.append(message.text))
        seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
        seen.page.goto(address)
        try:
            yield seen
        finally:
            browser.close()
