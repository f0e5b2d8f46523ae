"""What happens to a text on its way: each function is one mail program's, forum's or person's doing."""

from __future__ import annotations

import html
import quopri
import re
import textwrap
from collections.abc import Callable
from email import policy
from email.message import EmailMessage

Mangler = Callable[[str], str]


def smart(text: str) -> str:
    """A word processor's quotation marks, dashes and ellipses."""
    text = re.sub(r'"(?=[\w<\[{])', "\u201c", text).replace('"', "\u201d").replace("'", "\u2019")
    return text.replace("---", "\u2014").replace("--", "\u2013").replace("...", "\u2026")


def wrapped(width: int) -> Mangler:
    """Long lines broken, each line for itself."""

    def mangle(text: str) -> str:
        lines = [textwrap.wrap(line, width, break_on_hyphens=False) or [""] for line in text.split("\n")]
        return "\n".join(part for line in lines for part in line)

    return mangle


def flowed(text: str) -> str:
    """format=flowed (RFC 3676): soft breaks end in a blank, some lines are stuffed."""
    out = []
    for line in text.split("\n"):
        words = textwrap.wrap(line, 66, drop_whitespace=False, break_long_words=False, break_on_hyphens=False) or [""]
        out += [("" if i else (" " if line[:1] in (" ", ">") else "")) + w for i, w in enumerate(words)]
    return "\n".join(out)


def answered(text: str) -> str:
    """A reply above the quoted mail, with a footer."""
    quoted = "\n".join(f"> {line}" for line in text.split("\n"))
    return f"Here it is again.\n\nOn Monday nowak wrote:\n{quoted}\n\n-- \nYamada\nSent from a telephone\n"


def html_page(text: str) -> str:
    """A web mail's HTML source."""
    body = html.escape(text).replace("  ", "&nbsp;&nbsp;").replace("\n", "<br>\n")
    return f'<html><head><style>p {{ color: red }}</style></head><body><div class="m">{body}</div></body></html>'


TEXTS: dict[str, Mangler] = {
    "as it is": lambda t: t,
    "quoted": lambda t: "\n".join(f"> {line}" for line in t.split("\n")),
    "quoted three times": lambda t: "\n".join(f">>> {line}" for line in t.split("\n")),
    "answered": answered,
    "wrapped at 72": wrapped(72),
    "wrapped at 40": wrapped(40),
    "wrapped, then quoted": lambda t: "\n".join(f"> {line}" for line in wrapped(60)(t).split("\n")),
    "flowed": flowed,
    "smart quotes": smart,
    "no-break spaces": lambda t: t.replace(" ", "\u00a0"),
    "thin spaces for indentation": lambda t: re.sub(r"(?m)^ +", lambda m: "\u2009" * len(m[0]), t),
    "HTML entities": lambda t: html.escape(t).replace("\u00e9", "&eacute;"),
    "entities twice": lambda t: html.escape(html.escape(t)),
    "HTML source": html_page,
    "quoted-printable source": lambda t: quopri.encodestring(t.encode()).decode("ascii"),
    "lost indentation": lambda t: re.sub(r"(?m)^[ \t]+", "", t),
    "indented": lambda t: textwrap.indent(t, "    "),
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR": lambda t: t.replace("\n", "\r"),
    "blank lines between": lambda t: t.replace("\n", "\n\n"),
    "trailing blanks": lambda t: t.replace("\n", "  \n"),
    "a footer": lambda t: f"{t}\n_______________\nlist mailing list\nlist@example.org\n",
    "From escaped": lambda t: re.sub(r"(?m)^From ", ">From ", t),
    "code tags": lambda t: f'[quote="nowak"][code]{t}[/code][/quote]',
    "code fence": lambda t: f"Look:\n```yaml\n{t}```\n",
    "bullets": lambda t: re.sub(r"(?m)^( *)- ", "\\1\u2022 ", t),
    "zero-width characters": lambda t: re.sub(r"(\w{8})", "\\1\u200b", t),
    "byte order mark": lambda t: "\ufeff" + t,
    "soft hyphens": lambda t: re.sub(r"([a-z]{4})([a-z]{4})", "\\1\u00ad\\2", t),
    "tabs for indentation": lambda t: re.sub(r"(?m)^((?:  )+)", lambda m: "\t" * (len(m[0]) // 2), t),
    "markdown escapes undone": lambda t: t.replace("*", "").replace("\\", ""),
    "marker dashes lost": lambda t: re.sub(r"-----", "--", t),
}


def plain_mail(encoding: str, charset: str = "utf-8") -> Callable[[str], bytes]:
    """A mail with one text part in this transfer encoding."""

    def mangle(text: str) -> bytes:
        message = EmailMessage(policy=policy.SMTP)
        message["Subject"], message["From"], message["To"] = "Re: [pbem]", "a@example.org", "b@example.org"
        message.set_content(text.encode(charset, "replace").decode(charset), cte=encoding, charset=charset)
        return message.as_bytes()

    return mangle


def html_mail(text: str) -> bytes:
    """A mail that has only an HTML part."""
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "Re: [pbem]"
    message.set_content(html_page(text), subtype="html", cte="quoted-printable")
    return message.as_bytes()


def alternative(text: str) -> bytes:
    """Plain and HTML parts of the same words; the plain one is wrapped."""
    message = EmailMessage(policy=policy.SMTP)
    message["Subject"] = "Re: [pbem]"
    message.set_content(wrapped(72)(text), cte="quoted-printable")
    message.add_alternative(html_page(text), subtype="html")
    return message.as_bytes()


def wrong_charset(text: str) -> bytes:
    """UTF-8 that says it is Latin-2."""
    return plain_mail("8bit")(text).replace(b'charset="utf-8"', b'charset="iso-8859-2"')


MAILS: dict[str, Callable[[str], bytes]] = {
    "quoted-printable": plain_mail("quoted-printable"),
    "base64": plain_mail("base64"),
    "8bit": plain_mail("8bit"),
    "Latin-1": plain_mail("quoted-printable", "iso-8859-1"),
    "wrong character set": wrong_charset,
    "HTML only": html_mail,
    "plain and HTML": alternative,
    "forwarded": lambda t: plain_mail("quoted-printable")("Begin forwarded message:\n\n> " + t.replace("\n", "\n> ")),
}


def mbox(*mails: bytes) -> bytes:
    """Mails in one mbox, with `From ` lines escaped."""
    stamp = b"From a@example.org Sat Nov 21 07:00:00 2026\n"
    bodies = [re.sub(rb"(?m)^(>*From )", rb">\1", mail.replace(b"\r\n", b"\n")) for mail in mails]
    return b"".join(stamp + body + b"\n" for body in bodies)
