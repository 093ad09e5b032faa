"""Block tokens of a body → HTML without style attributes: aligned cells and code colours become classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from . import prose

Linker = Callable[[str], str]
_FORMATTER: Final = HtmlFormatter(nowrap=True, classprefix="k-")


def html(tokens: Sequence[Token], link: Linker) -> str:
    """Render block tokens; `link` turns an address of the body into the one the page carries."""
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {"link": link}))


def inline_html(tokens: Sequence[Token], link: Linker) -> str:
    """Render inline tokens, for instance a caption."""
    renderer: _Renderer = _MARKDOWN.renderer  # type: ignore[assignment]
    return renderer.renderInline(tokens, _MARKDOWN.options, {"link": link})


class _Renderer(RendererHTML):
    """The standard renderer with this site's rules for links, tables, code and footnotes."""

    def link_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return f'<a href="{escape(env["link"](str(tokens[at].attrGet("href") or "")))}">'

    def claim(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return number(tokens[at].content, **tokens[at].meta)

    def paragraph_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "" if tokens[at].hidden else '<p dir="auto">'

    def heading_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        old = tokens[at].meta.get(prose.OLD_IDS, ())
        return self.renderToken(tokens, at, options, env) + "".join(f'<span id="{escape(i)}"></span>' for i in old)

    def table_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        heads = [prose.plain_text(tokens[i + 1]) for i in range(at, len(tokens)) if tokens[i].type == "th_open"]
        close = next(i for i in range(at, len(tokens)) if tokens[i].type == "table_close")
        columns = sum(t.type == "th_open" for t in tokens[at:close])
        name = escape("Table: " + ", ".join(h for h in heads[:columns] if h))
        return f'<div class="scroll" role="group" tabindex="0" aria-label="{name}">\n<table>\n'

    def table_close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "</table>\n</div>\n"

    def th_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return f'<th scope="col"{_aligned(tokens[at])}>' if tokens[at + 1].content else "<td>"

    def th_close(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return "</th>" if tokens[at - 1].content else "</td>"

    def td_open(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return f"<td{_aligned(tokens[at])}>"

    def fence(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        language = tokens[at].info.strip().split(maxsplit=1)[0] if tokens[at].info.strip() else ""
        try:
            code = highlight(tokens[at].content, get_lexer_by_name(language), _FORMATTER)
        except ClassNotFound:
            code = escape(tokens[at].content, quote=False)
        return f'<pre tabindex="0"><code>{code}</code></pre>\n'

    def code_block(self, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
        return f'<pre tabindex="0"><code>{escape(tokens[at].content, quote=False)}</code></pre>\n'


def _aligned(token: Token) -> str:
    """Markdown's aligned cells carry a style attribute; right-aligned ones hold numbers."""
    style = str(token.attrGet("style") or "")
    return ' class="n"' if style.endswith("right") else ' class="mid"' if style.endswith("center") else ""


def _footnotes_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return '<div class="footnotes">\n<ol>\n'


def _footnotes_close(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return "</ol>\n</div>\n"


def _footnote_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return f'<li id="fn{int(tokens[at].meta["id"]) + 1}">'


def _footnote_back(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    meta = tokens[at].meta
    number = f"{int(meta['id']) + 1}" + (f":{meta['subId']}" if meta.get("subId", -1) > 0 else "")
    return f' <a href="#fnref{number}" aria-label="Back to the text, note {number}">back</a>'


def number(written: str, raw: str, href: str) -> str:
    """Return a number in prose as HTML: its value for programs, a quiet link for readers; each where there is one.

    A link whose text is the value, but for what groups its digits, does not tell it twice: a guide has dozens of them.
    """
    shown = escape(written, quote=False)
    is_told = bool(href) and written.replace(",", "") == raw
    valued = f'<data value="{escape(raw)}">{shown}</data>' if raw and not is_told else shown
    return f'<a class="c" href="{escape(href)}">{valued}</a>' if href else valued


def text(plain: str) -> str:
    """Return plain text as HTML."""
    return escape(plain, quote=False)


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", renderer_cls=_Renderer).use(footnote_plugin)
    # After `use`, because the plugin brings its own rules: a section without a heading, arrows without a name.
    markdown.add_render_rule("footnote_block_open", _footnotes_open)
    markdown.add_render_rule("footnote_block_close", _footnotes_close)
    markdown.add_render_rule("footnote_open", _footnote_open)
    markdown.add_render_rule("footnote_anchor", _footnote_back)
    return markdown


_MARKDOWN: Final = _markdown()
