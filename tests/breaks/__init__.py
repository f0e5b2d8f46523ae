"""Every implemented rule names breaks: small edits of the place where it lives, each of which must fail one of its cases.

`tests/breaks/<game>.yaml`, by the ids of sections.yaml:

    "7.3.3":
      - in: movement.cost            # module.function or module.Class of the game, or a module (its constants)
        old: return 2 * points       # stands there exactly once
        new: return points
        cases: [NW-MV-12]            # only where these are not the cases that the rule's row cites
        crash: why                   # only where no edit of this clause does less than fell the program

`python -m tests.breaks [GAME] [RULE...]` applies them one by one in memory and runs the cases. A case that ends in an
exception of the broken program has noticed nothing: somebody has to be told something else than the book says.
"""
