"""The app in Chromium: words to choose from, undo, open descriptions, links, hostile texts."""

import json
import re
import secrets
from contextlib import contextmanager

import pytest
from app_served import NOTHING, PENDULUM, packed, served
from browser import opened

import torseur as ts

pytestmark = pytest.mark.slow
MOVED = ".screen iframe:not(.coming)"
LONG = 1e6  # s of a motion that takes minutes to compute
EVIL = "<img src=x onerror='window.parent.evil = 1'></script><script>parent.evil = 1</script>"


@contextmanager
def page(folder, at="", start=NOTHING, lang="en", **context):
    """The app on a page of its own, with the server."""
    with served(folder, lang, start) as server, opened(server.address + at, **context) as seen:
        seen.page.server = server
        seen.page.set_default_timeout(15_000)
        yield seen


def text(page):
    return page.input_value("#text")


def until(page, condition):
    """Wait for a condition; the policy of the page lets no text become a function there."""
    while not page.evaluate(condition):
        page.wait_for_timeout(20)


def write(page, content):
    """A description that is typed at once, and its motion."""
    page.fill("#text", content)


def quiet(seen):
    assert seen.messages == [] and seen.from_elsewhere == []


def test_the_motion_of_an_example_is_seen_and_nothing_is_said_on_the_console(tmp_path):
    with page(tmp_path, "#simple_pendulum") as seen:
        seen.page.wait_for_selector(MOVED)
        frame = seen.page.frames[-1]
        assert frame.evaluate("document.querySelector('.viewer').kept().playing")
        for panel in ("equations", "check", "scheme", "graph"):
            seen.page.click(f'[data-show="{panel}"]')
            seen.page.wait_for_selector(f'[data-panel="{panel}"].now:not(.stale) .content > *')
        quiet(seen)


def test_a_live_motion_runs_in_the_page_of_the_app(tmp_path):
    with page(tmp_path, "#slider_crank") as seen:
        seen.page.wait_for_selector(MOVED)
        seen.page.select_option("#kind", "live")
        closure = "document.body.innerText.includes('loop gap')"
        while not any(frame.evaluate(closure) for frame in seen.page.frames[1:]):
            seen.page.wait_for_timeout(50)
        quiet(seen)


def test_a_list_of_words_is_used_by_keyboard(tmp_path):
    with page(tmp_path, "#empty") as seen:
        field = seen.page.locator("#text")
        field.press_sequentially("bod")
        assert seen.page.get_attribute("#text", "aria-expanded") == "true"
        options = seen.page.locator("#choices [role=option]")
        assert options.count() == 1 and "bodies" in options.first.inner_text()
        field.press("Tab")
        assert text(seen.page) == "bodies: "
        field.press_sequentially("{arm: {")
        field.press("Control+Space")
        words = options.all_inner_texts()
        assert words[0].startswith("mass") and "[kg]" in words[0]
        field.press("ArrowDown")
        chosen = seen.page.locator("#choices [aria-selected=true]")
        assert chosen.get_attribute("id") == seen.page.get_attribute(
            "#text", "aria-activedescendant"
        )
        field.press("ArrowUp")
        field.press("Enter")
        assert text(seen.page) == "bodies: {arm: {mass: "
        assert seen.page.locator("#help").inner_text().startswith("mass mass · [kg]")
        field.press("Control+Space")
        field.press("Escape")
        assert seen.page.locator("#choices").is_hidden()
        field.press("Enter")
        assert text(seen.page).endswith("mass: \n"), "Enter is a new line where no list is open"
        quiet(seen)


def test_words_of_a_phrase_and_in_french(tmp_path):
    with page(tmp_path, "#empty", lang="fr") as seen:
        field = seen.page.locator("#text")
        field.press_sequentially("RY(q1), TY")
        labels = seen.page.locator("#choices b").all_inner_texts()
        assert labels == ["TY", "TYK"]
        field.fill("")
        field.press_sequentially("liaisons: {O: {type: pi")
        assert seen.page.locator("#choices b").all_inner_texts() == ["pivot", "pivot glissant"]
        assert "type de la liaison" in seen.page.locator("#help").inner_text()
        quiet(seen)


def test_the_word_under_the_pointer_is_explained(tmp_path):
    with page(tmp_path, "#simple_pendulum") as seen:
        at = text(seen.page).index("mass:") + 1
        spot = seen.page.evaluate(
            """(at) => {
              const area = document.getElementById("text"), box = area.getBoundingClientRect();
              const look = getComputedStyle(area), lines = area.value.slice(0, at).split("\\n");
              const high = parseFloat(look.lineHeight);
              return [box.x + 8 * lines.at(-1).length + 8,
                      box.y + parseFloat(look.paddingTop) + high * (lines.length - 0.5)];
            }""",
            at,
        )
        seen.page.mouse.move(*spot)
        assert seen.page.get_attribute("#text", "title").startswith("mass: mass · [kg]")


def test_undo_goes_back_through_typing_values_and_texts_that_were_made(tmp_path):
    with page(tmp_path, "#simple_pendulum") as seen:
        seen.page.wait_for_selector(".control")
        field = seen.page.locator("#text")
        first = text(seen.page)
        field.press("Control+End")
        field.press_sequentially("# one two")
        seen.page.fill('.control[data-name="a"] input:not([type=range])', "0.9")
        seen.page.press('.control[data-name="a"] input:not([type=range])', "Enter")
        seen.page.wait_for_selector("#changed:not([hidden])")
        seen.page.click("#write")
        until(seen.page, "document.getElementById('text').value.includes('0.9')")
        written = text(seen.page)
        field.press("Control+z")
        assert text(seen.page) == first + "# one two"
        value = seen.page.input_value('.control[data-name="a"] input:not([type=range])')
        assert value == "0.9", "the value stands beside the text again"
        field.press("Control+z")
        field.press("Control+z")
        assert text(seen.page) == first + "# one "
        for _ in range(9):
            field.press("Control+z")
        assert text(seen.page) == first
        assert seen.page.is_disabled("#undo")
        for _ in range(12):
            field.press("Control+Shift+z")
        assert text(seen.page) == written
        quiet(seen)


def test_several_descriptions_are_open_each_with_its_own_undo(tmp_path):
    (tmp_path / "mine.yaml").write_text(PENDULUM, encoding="utf-8")
    with page(tmp_path) as seen:
        seen.page.wait_for_selector("#files .button")
        seen.page.click("text=mine.yaml")
        seen.page.wait_for_selector(MOVED)
        seen.page.locator("#text").press("Control+Home")
        seen.page.keyboard.type("# mine\n")
        seen.page.goto(seen.page.url.split("#")[0] + "#examples")
        seen.page.fill("#search", "four_bar")
        seen.page.click('.card[href="#four_bar"]')
        until(seen.page, "document.getElementById('text').value.includes('four-bar')")
        names = seen.page.locator("#open .draft button:first-child").all_inner_texts()
        assert names == ["mine.yaml", "four_bar.yaml"]
        assert seen.page.is_disabled("#undo")
        seen.page.click("#open button >> text=mine.yaml")
        assert text(seen.page) == "# mine\n" + PENDULUM
        seen.page.keyboard.press("Control+z")
        seen.page.once("dialog", lambda dialog: dialog.accept())
        seen.page.click("#open .draft:nth-child(1) .end")
        assert seen.page.locator("#open .draft").count() == 1
        quiet(seen)


def test_a_description_includes_another_of_its_folder_as_it_was_saved(tmp_path):
    part = (
        "bodies: {rod: {mass: 1}}\njoints: {A: {type: revolute, bodies: [ground, rod], axis: z}}\n"
    )
    (tmp_path / "part.yaml").write_text(part, encoding="utf-8")
    whole = "include:\n- {file: part.yaml, prefix: p_}\nbodies: {other: {mass: 1}}\n"
    whole += "joints: {B: {type: prismatic, bodies: [ground, other], axis: x}}\n"
    start = {"file": "whole.yaml", "text": whole, "masses": "", "known": None}
    with page(tmp_path, start=start) as seen:
        names = "[...document.querySelectorAll('.control b')].map((x) => x.textContent)"
        until(seen.page, f"{names}.includes('p_A')")
        (tmp_path / "part.yaml").write_text(part.replace("A:", "C:"), encoding="utf-8")
        seen.page.locator("#text").press("Control+End")
        seen.page.keyboard.type("# again")
        until(seen.page, f"{names}.includes('p_C')")
        quiet(seen)


def test_a_link_holds_text_and_values_and_a_broken_one_is_told(tmp_path):
    with page(tmp_path, "#simple_pendulum") as seen:
        seen.page.wait_for_selector(".control")
        field = '.control[data-name="a"] input:not([type=range])'
        seen.page.fill(field, "0.9")
        seen.page.press(field, "Enter")
        seen.page.click("#share")
        seen.page.wait_for_selector("#sharing[open]")
        link, command = (seen.page.input_value(x) for x in ("#link", "#command"))
        assert re.fullmatch(r'torseur app "#s=[\w-]+"', command)
        size = re.sub(r"\D", "", seen.page.locator("#sharing .told").inner_text())
        assert int(size) == len(link)
        address, _, shared = link.partition("#")
        other = seen.page.context.new_page()
        other.goto(f"{address}#{shared}")
        other.wait_for_selector(".control.changed")
        assert other.input_value("#text") == PENDULUM
        assert other.input_value(field) == "0.9"
        large = (packed({"text": x}) for x in ("\n" * 900_000, " " * 9_000_000))
        for broken in ("#s=%%%", "#s=AAAA", f"#{shared[:-9]}", "#s=", "#%E0%A4%A", *large):
            other.goto("about:blank")
            other.goto(f"{address}{broken}")
            other.wait_for_selector("#chooser:not([hidden])")
        quiet(seen)


def test_a_long_link_is_reported_and_a_longer_one_refused(tmp_path):
    with page(tmp_path, "#empty") as seen:
        for length, told, offered in ((9_000, "some programs cut", True), (90_000, "more", False)):
            seen.page.fill("#text", f"# {secrets.token_hex(length)}")
            seen.page.click("#share")
            assert told in seen.page.locator("#sharing .told").inner_text()
            assert seen.page.locator("#link").is_visible() is offered
            seen.page.keyboard.press("Escape")
        quiet(seen)


def test_markup_in_a_description_never_runs(tmp_path):
    evil = json.dumps(EVIL)
    hostile = re.sub(
        r"^(name|description): .*", lambda match: f"{match[1]}: {evil}", PENDULUM, flags=re.M
    )
    hostile = hostile.replace("parameters:", f"parameters:\n  m2: {{value: 1, meaning: {evil}}}", 1)
    start = {"file": f"{EVIL[:20]}.yaml", "text": hostile, "masses": "", "known": None}
    with page(tmp_path, start=start) as seen:
        seen.page.wait_for_selector(MOVED)
        for panel in ("equations", "check", "scheme", "graph"):
            seen.page.click(f'[data-show="{panel}"]')
            seen.page.wait_for_selector(f'[data-panel="{panel}"].now:not(.stale) .content > *')
        write(seen.page, hostile.replace("joints:", f"joints:\n  {evil}: {{type: {evil}}}", 1))
        seen.page.wait_for_selector("#faults li")
        assert seen.page.evaluate("window.evil") is None
        assert seen.page.locator("img[src=x]").count() == 0
        # a script that got in would not run: the policy names those that may
        seen.page.evaluate(
            """() => {
              const box = document.querySelector('.content');
              box.innerHTML = "<img src='data:,' onerror='window.evil = 1'>";
              const script = document.createElement("script");
              script.textContent = "window.evil = 2";
              box.append(script);
            }"""
        )
        seen.page.wait_for_timeout(100)
        assert seen.page.evaluate("window.evil") is None


def test_a_long_motion_of_one_page_blocks_no_other_and_ends_with_it(tmp_path):
    chaotic = ts.load("double_pendulum").yaml()
    start = {"file": "arm.yaml", "text": chaotic, "masses": "", "known": None}
    with page(tmp_path, start=start) as seen:
        jobs = seen.page.server.jobs
        seen.page.wait_for_selector(MOVED)
        seen.page.fill("#rate", "0.1")
        seen.page.fill("#duration", str(LONG))
        seen.page.press("#duration", "Enter")
        seen.page.wait_for_selector("#state.busy")
        other = seen.page.context.new_page()
        other.goto(seen.page.url.split("#")[0] + "#simple_pendulum")
        other.wait_for_selector(MOVED)
        other.click('[data-show="equations"]')
        other.wait_for_selector('[data-panel="equations"] math')
        (worker,) = jobs._running
        assert worker.alive, "the other page computes all the while"
        seen.page.close(run_before_unload=False)
        while worker in jobs._running:
            other.wait_for_timeout(20)
        assert not worker.alive
        other.click('[data-show="motion"]')
        other.fill("#duration", "1")
        other.press("#duration", "Enter")
        other.wait_for_selector('[data-panel="motion"].now:not(.stale) ' + MOVED)
