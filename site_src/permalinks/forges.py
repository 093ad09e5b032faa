"""A document in a repository on a forge → its addresses: for a person, with a line that works, and for its bytes.

Where the rules come from (October 2026; no forge publishes all of them):

- GitHub ignores #L5 on a rendered document unless ?plain=1 stands before it (its manual, "Creating a permanent link to
  a code snippet"); on other files ?plain=1 changes nothing. raw.githubusercontent.com serves the pointer of a file in
  Git LFS, not the file; media.githubusercontent.com serves the file.
- GitLab shows the source instead of the rendered document as soon as the fragment names a line (its
  blob_content_viewer.vue), and writes a range as #L5-7.
- Forgejo and Gitea need ?display=source on a rendered document (the button "Source" of their file view), and write
  #L5-L7. Codeberg is a Forgejo.
- Bitbucket Cloud writes #lines-5 and #lines-5:7. Whether it scrolls there on rendered Markdown is not certain.
  Bitbucket Data Center has other addresses, which are not read here.
- Hugging Face needs ?code=true on a rendered document (links in its own model cards), and writes #L5-L7. `resolve`
  serves the bytes of large files by a redirect to another host; `raw` would serve their pointer.
- Gist names a file by its name made plain, as Rails' parameterize does: file-a_b-md-L5, and file-bashrc for .bashrc
  (seen in many links). What it makes of letters outside ASCII is not certain, nor whether a rendered file has lines.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from .lines import Lines, lines_of

COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# Documents that forges show rendered, so that lines need the source view.
RENDERED: Final = (
    *(".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdwn", ".rst", ".adoc", ".asciidoc", ".asc", ".org", ".ipynb"),
    *(".textile", ".rdoc", ".creole", ".mediawiki", ".wiki", ".pod", ".svg", ".geojson"),
)


@dataclass(frozen=True)
class Forge:
    """How one forge writes its addresses. `name` is its own; `host` is "" where anybody may run it.

    The templates take host, repository, revision, `at` (how Forgejo writes a revision) and path, percent-encoded.
    `source_view` is the query that shows lines; `always` tells that it may stand on any file.
    """

    name: str
    host: str
    home: str
    page: str
    tree: str
    raw: str
    line: str = "#L{first}"
    span: str = "#L{first}-L{last}"
    source_view: str = ""
    always: bool = False


FORGES: Final = {
    "github": Forge(
        name="GitHub",
        host="github.com",
        home="https://github.com/{repository}",
        page="https://github.com/{repository}/blob/{revision}/{path}",
        tree="https://github.com/{repository}/tree/{revision}",
        raw="https://raw.githubusercontent.com/{repository}/{revision}/{path}",
        source_view="?plain=1",
        always=True,
    ),
    "gist": Forge(
        name="Gist",
        host="gist.github.com",
        home="https://gist.github.com/{repository}",
        page="https://gist.github.com/{repository}/{revision}",
        tree="https://gist.github.com/{repository}/{revision}",
        raw="https://gist.githubusercontent.com/{repository}/raw/{revision}/{path}",
        line="#file-{slug}-L{first}",
        span="#file-{slug}-L{first}-L{last}",
    ),
    "gitlab": Forge(
        name="GitLab",
        host="",
        home="https://{host}/{repository}",
        page="https://{host}/{repository}/-/blob/{revision}/{path}",
        tree="https://{host}/{repository}/-/tree/{revision}",
        raw="https://{host}/{repository}/-/raw/{revision}/{path}",
        span="#L{first}-{last}",
    ),
    "forgejo": Forge(
        name="Forgejo",
        host="",
        home="https://{host}/{repository}",
        page="https://{host}/{repository}/src/{at}/{path}",
        tree="https://{host}/{repository}/src/{at}",
        raw="https://{host}/{repository}/raw/{at}/{path}",
        source_view="?display=source",
    ),
    "bitbucket": Forge(
        name="Bitbucket",
        host="bitbucket.org",
        home="https://bitbucket.org/{repository}",
        page="https://bitbucket.org/{repository}/src/{revision}/{path}",
        tree="https://bitbucket.org/{repository}/src/{revision}/",
        raw="https://bitbucket.org/{repository}/raw/{revision}/{path}",
        line="#lines-{first}",
        span="#lines-{first}:{last}",
    ),
    "huggingface": Forge(
        name="Hugging Face",
        host="huggingface.co",
        home="https://huggingface.co/{repository}",
        page="https://huggingface.co/{repository}/blob/{revision}/{path}",
        tree="https://huggingface.co/{repository}/tree/{revision}",
        raw="https://huggingface.co/{repository}/resolve/{revision}/{path}",
        source_view="?code=true",
    ),
}


@dataclass(frozen=True)
class Blob:
    """A document on a forge: where, at which revision (a commit, a branch or a tag), under which path.

    `path` is empty for the repository as a whole, `revision` for an address that names none. `at` is where the
    revision begins in the address that was read. A `repository` on Hugging Face begins with datasets/ or spaces/
    unless it holds a model; that of a gist is OWNER/ID.
    """

    forge: str
    host: str
    repository: str
    revision: str
    path: str
    at: int = field(default=0, compare=False)

    @property
    def is_pinned(self) -> bool:
        """Whether the revision is a full commit hash."""
        return is_commit(self.revision)

    is_fixed = same_bytes = is_pinned

    @property
    def platform(self) -> str:
        """The forge as records name it."""
        return "codeberg" if self.host == "codeberg.org" else self.forge

    @property
    def software(self) -> str:
        """The forge as it calls itself."""
        return FORGES[self.forge].name

    @property
    def source_view(self) -> str:
        """The query under which this document shows its lines, or ""."""
        forge = FORGES[self.forge]
        return forge.source_view if forge.always or is_rendered(self.path) else ""

    @property
    def home(self) -> str:
        """The address of the repository."""
        return self._filled(FORGES[self.forge].home)

    @property
    def raw(self) -> str | None:
        """The address of the bytes; None for a whole repository, and for a gist whose owner is not named."""
        nameless = self.forge == "gist" and "/" not in self.repository
        return self._filled(FORGES[self.forge].raw) if self.path and not nameless else None

    def url(self, line: int | Lines | None = None) -> str:
        """Return the human address of the document, or of one or more of its lines."""
        forge, lines = FORGES[self.forge], lines_of(line)
        address = self._filled(forge.page if self.path else forge.tree)
        if lines is None or not self.path:
            return address
        anchor = forge.span if lines.last else forge.line
        return address + self.source_view + anchor.format(first=lines.first, last=lines.last, slug=gist_slug(self.path))

    def _filled(self, template: str) -> str:
        revision = quote(self.revision)
        named = "commit" if re.fullmatch(r"[0-9a-f]{7,64}", self.revision) else "branch"
        shape = template if self.revision else template.replace("/{revision}", "")
        return shape.format(
            host=self.host,
            repository=quote(self.repository),
            revision=revision,
            at=f"{named}/{revision}",
            path=quote(self.path),
        )


def is_commit(revision: str) -> bool:
    """Tell whether a revision is a full commit hash."""
    return bool(COMMIT.fullmatch(revision))


def is_rendered(path: str) -> bool:
    """Tell whether forges show a document rendered, without lines."""
    return path.lower().endswith(RENDERED)


def gist_slug(name: str) -> str:
    """Return the name of a file as the anchors of a gist hold it: .bashrc → bashrc, a_b.md → a_b-md."""
    apart = unicodedata.normalize("NFKD", name)
    plain = "".join(c if c.isascii() else "?" for c in apart if not unicodedata.combining(c))
    return re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9_-]+", "-", plain.lower())).strip("-")
