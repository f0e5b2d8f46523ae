"""How files travel: pasted blocks, mail, folders."""
