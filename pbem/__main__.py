"""python -m pbem"""

from pbem.cli.app import main

main()
