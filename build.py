"""Run pinpress from a checkout: `python build.py build` is `pinpress build`."""

from site_src.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
