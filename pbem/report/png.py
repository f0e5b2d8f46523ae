"""SVG to PNG, with the extra `png`."""

from __future__ import annotations

from pbem.protocol.outcomes import Outcome, ProtocolError


def png(svg: str) -> bytes:
    """The picture as PNG bytes. Raises ProtocolError when the extra is not installed."""
    try:
        import resvg_py
    except ImportError:
        raise ProtocolError(Outcome.UNREADABLE, "PNG needs the extra: pip install 'pbem[png]'") from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg))
