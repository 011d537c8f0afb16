"""The program itself: python -m uncoil, and the command uncoil."""

import os
import subprocess
import sys

from ._process import PROGRAM


def main() -> None:
    args = [PROGRAM, *sys.argv[1:]]
    if os.name == "nt":  # where execv returns to the shell before the program ends
        sys.exit(subprocess.call(args))
    os.execv(PROGRAM, args)


if __name__ == "__main__":
    main()
