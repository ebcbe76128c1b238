"""What a test may be called when it means harm, for Hypothesis."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

#: Pieces that mean something to a renderer, a runner, a terminal or a shell.
_PIECES: Final = (
    *"|`*_~[]()<>!#@&\\$'\"{}:;-=+.%^ \n\r\t",
    *("``", "```", "~~~", "<!--", "-->", "<b>", "</td>", "<script>", "</details>"),
    *("<summary>", "<img src=x>", "![a](http://x.invalid)", "[a](b)", "[a]: b"),
    *("@octocat", "@org/team", "#12", "GH-1", "octo/shop#1", "deadbeef0", "http://"),
    *("https://x.invalid", "www.x.invalid", "a@b.invalid", ":tada:", "&lt;", "&#124;"),
    *("| a | b |", "|---|---|", "\n\n", "\n# x", "\n- x", "\n1. x", "\n> x", "---"),
    *("::error::x", "\n::set-env name=A::b", "##[error]x", "::stop-commands::x"),
    *("\x1b[31m", "\x1b]8;;http://x\x07", "\x9b2J", "\x00", "\x07", "\x08", "\x85"),
    *(
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\udc80",
        "\ud800",
        "\U000e0041",
    ),
    *(
        "$(id)",
        "`id`",
        "; id",
        "&& id",
        "\\|",
        "\\`",
        "test",
        "passes",
        "alone",
        "한국어",
    ),
)

#: Any text, and text that is made to break out.
hostile: Final = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(_PIECES), max_size=14).map("".join),
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=4)), max_size=10).map(
        " ".join
    ),
)
