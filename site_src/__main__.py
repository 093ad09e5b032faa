"""`python -m site_src` is `pinpress`."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
