"""SVG to PNG, with the extra `png` and the fonts of this package: without a font, text would silently vanish."""

from __future__ import annotations

from pathlib import Path

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError

FONTS = Path(__file__).with_name("fonts")
FAMILY = "DejaVu Sans"


def png(svg: str) -> bytes:
    """The picture as PNG bytes, as large as it says. Raises ProtocolError when the extra is not installed."""
    try:
        import resvg_py
    except ImportError:
        raise ProtocolError(Outcome.UNREADABLE, msg("PNG needs the extra: pip install 'pbem[png]'")) from None
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            skip_system_fonts=True,
            font_files=[str(path) for path in sorted(FONTS.glob("*.ttf"))],
            style_sheet=f'text {{ font-family: "{FAMILY}" }}',
        )
    )
