"""Where the search stands in the site."""

from typing import Final

ROUTE: Final = "/search/"
