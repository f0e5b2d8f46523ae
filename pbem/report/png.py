"""SVG to PNG, with the extra `png` and the fonts of this package: without a font, text would silently vanish.

A map has few colours: with a palette it is a third as large, and forums and mails take it.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError

FONTS = Path(__file__).with_name("fonts")
FAMILY = "DejaVu Sans"
COLOURS = 256


def png(svg: str) -> bytes:
    """The picture as PNG bytes, as large as it says. Raises ProtocolError when the extra is not installed."""
    try:
        from PIL import Image
    except ImportError:
        raise _wanting() from None
    with Image.open(BytesIO(drawn(svg))) as picture:
        few = picture.convert("RGBA").quantize(COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    written = BytesIO()
    few.save(written, "PNG")
    return written.getvalue()


def drawn(svg: str) -> bytes:
    """The same in all its colours."""
    try:
        import resvg_py
    except ImportError:
        raise _wanting() from None
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=[str(path) for path in sorted(FONTS.glob("*.ttf"))],
            style_sheet=f'text {{ font-family: "{FAMILY}" }}',
        )
    )


def _wanting() -> ProtocolError:
    return ProtocolError(Outcome.UNREADABLE, msg("PNG needs the extra: pip install 'pbem[png]'"))
