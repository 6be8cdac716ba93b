"""Mathematics of the pages as MathML, which browsers show by themselves: no script, no font."""

import re
from html import escape, unescape
from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

log = logging.getLogger(__name__)


def with_indices_beside(root):
    """The index of an accented letter, as in q̇ᵢ, beside the letter; docutils puts it below."""
    for node in [*root.iter("munderover")]:
        base, under, over = node
        if base.tag != "mo" and not base.get("movablelimits"):
            accented = ElementTree.Element("mover", accent="true")
            accented[:] = [base, over]
            node.tag, node[:] = "msub", [accented, under]
    for node in [*root.iter("msup")]:
        base, exponent = node
        if base.tag == "msub":
            node.tag, node[:] = "msubsup", [*base, exponent]
    return root


def mathml(node, *, as_block):
    """The MathML of a formula; a formula that cannot be read stays as LaTeX, with a warning."""
    tex = re.sub(r"(frac)\s*(\d)\s*(\d)", r"\1{\2}{\3}", node.astext().strip())  # \frac12
    try:
        text = tex2mathml(tex, as_block=as_block)
    except MathError as error:
        log.warning("formula %s: %s", tex, error, location=node, type="mathml")
        return f"<code>{escape(tex)}</code>"
    text = text.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    named = r"&(?!lt;|gt;|amp;|quot;)\w+;"  # XML knows no others
    root = ElementTree.fromstring(re.sub(named, lambda entity: unescape(entity[0]), text))
    return ElementTree.tostring(with_indices_beside(root), encoding="unicode")


def visit_inline(translator, node):
    translator.body.append(mathml(node, as_block=False))
    raise nodes.SkipNode


def visit_block(translator, node):
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})</span>')
    translator.body.append(mathml(node, as_block=True) + "</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
