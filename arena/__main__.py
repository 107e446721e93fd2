"""`python -m arena`: the command line, also where the script `arena` is not on the path."""

from arena.cli import main

if __name__ == "__main__":
    main(prog_name="arena")
