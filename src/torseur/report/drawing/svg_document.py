"""The frame of an SVG document: its box, its title and its style sheet."""

from __future__ import annotations

from html import escape

Box = tuple[float, float, float, float]  # left, top, right, bottom


def svg_document(box: Box, title: str, sheet: str, content: str, kind: str = "") -> str:
    """A document of its own, as large as its box."""
    element = svg_element(box, title, f"<style>{sheet}</style>{content}", kind)
    return element.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1) + "\n"


def svg_element(box: Box, title: str, content: str, kind: str = "") -> str:
    """A drawing within a page, which has its style sheet."""
    left, top, right, bottom = box
    wide, tall = right - left, bottom - top
    named = f' class="{kind}"' if kind else ""
    return (
        f'<svg{named} role="img" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{left:.1f} {top:.1f} {wide:.1f} {tall:.1f}">'
        f"<title>{escape(title)}</title>{content}</svg>"
    )


def paper(box: Box, kind: str = "paper") -> str:
    """Background of a drawing."""
    return f'<rect class="{kind}" x="{box[0]:.1f}" y="{box[1]:.1f}" width="100%" height="100%"/>'
