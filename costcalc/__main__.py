"""`python -m costcalc`."""

from costcalc.cli.main import main

main()
