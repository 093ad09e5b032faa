"""Published sites: packed alike anywhere, checked against their manifests, built again; hostile archives."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from site_src.cli import CONTENT, DONE, SURROUNDINGS, main
from site_src.problems import Rejected
from site_src.project import RESOURCES
from site_src.release import packed, packing
from site_src.release.reading import read
from site_src.serial import json_text
from tests.records import sound


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project, built; tests copy it."""
    root = tmp_path_factory.mktemp("made") / "project"
    (root / "records").mkdir(parents=True)
    (root / "records" / "brook.json").write_text(json_text(sound()))
    assert main(["build", "-q", "--jobs", "1", "--project", str(root)]) == DONE
    return root


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "project"))


def said(capsys: pytest.CaptureFixture[str], *words: object, code: int = CONTENT) -> str:
    """Run a command that ends with a code and return what it printed as an error."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == code
    return capsys.readouterr().err


def pack_elsewhere(project: Path, out: Path, umask: int, **env: str) -> bytes:
    command = [
        sys.executable,
        str(RESOURCES / "build.py"),
        "archive",
        "-q",
        "--project",
        str(project),
        "--out",
        str(out),
    ]
    subprocess.run(command, cwd=out.parent, env={**os.environ, **env}, umask=umask, check=True)
    assert out.stat().st_mode & 0o777 == 0o644
    return out.read_bytes()


@pytest.mark.parametrize("ending", packing.ENDINGS)
def test_an_archive_is_the_same_whatever_surrounds_it(ending: str, project: Path, tmp_path: Path) -> None:
    first = pack_elsewhere(project, tmp_path / f"a{ending}", 0o022, TZ="UTC", PYTHONHASHSEED="0")
    moved = Path(shutil.copytree(project, tmp_path / "moved"))
    for n, path in enumerate(sorted((moved / "_site").rglob("*"), reverse=True)):
        os.utime(path, (n, n))
        path.chmod(0o700)
    env = {"TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "C", "PYTHONHASHSEED": "42"}
    assert pack_elsewhere(moved, tmp_path / f"b{ending}", 0o077, **env) == first
    (moved / "_site" / "robots.txt").write_text("x")
    assert main(["archive", "--project", str(moved), "--out", str(tmp_path / f"c{ending}")]) == CONTENT
    assert not (tmp_path / f"c{ending}").exists()


@pytest.mark.parametrize("ending", packing.ENDINGS)
def test_headers_hold_nothing_of_the_machine(ending: str, project: Path, tmp_path: Path) -> None:
    out = tmp_path / f"site{ending}"
    assert main(["archive", "-q", "--project", str(project), "--out", str(out)]) == DONE
    raw = out.read_bytes()
    if ending == ".tar.gz":
        assert raw[3:8] == bytes(5), "neither name nor time"
        plain = gzip.decompress(raw)
    else:
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(raw)
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        members = tar.getmembers()
    names = [m.name for m in members]
    assert names == sorted(
        p.relative_to(project / "_site").as_posix() for p in (project / "_site").rglob("*") if p.is_file()
    )
    assert {(m.mode, m.uid, m.gid, m.uname, m.gname, m.mtime) for m in members} == {(0o644, 0, 0, "", "", 0)}
    assert main(["verify-site", str(out)]) == DONE


def test_sums_are_those_of_sha256sum_and_other_lines_stay(project: Path, tmp_path: Path) -> None:
    for name in ("b.tar.gz", "a.tar.zst", "b.tar.gz"):
        assert main(["archive", "-q", "--project", str(project), "--out", str(tmp_path / name)]) == DONE
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", packing.SUMS], cwd=tmp_path, check=True)
    lines = (tmp_path / packing.SUMS).read_text().splitlines()
    assert [line.partition("  ")[2] for line in lines] == ["a.tar.zst", "b.tar.gz"]
    with pytest.raises(ValueError, match="notes"):
        packing.sums("notes of mine\n", {"a": b""})


def test_what_cannot_be_packed_is_told(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = ("--project", project)
    assert "ends in neither .tar.zst nor .tar.gz" in said(capsys, "archive", *at, "--out", "x.zip", code=SURROUNDINGS)
    told = said(capsys, "archive", *at, "--site", tmp_path / "none", code=SURROUNDINGS)
    assert "is no folder. Build the site first" in told
    (tmp_path / packing.SUMS).write_text("notes of mine\n")
    told = said(capsys, "archive", *at, "--out", tmp_path / "a.tar.gz", code=SURROUNDINGS)
    assert "holds a line that sha256sum did not write" in told
    assert (tmp_path / packing.SUMS).read_text() == "notes of mine\n"


def flipped(site: Path) -> None:
    page = site / "notes" / "brook" / "index.html"
    data = bytearray(page.read_bytes())
    data[200] ^= 1
    page.write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (flipped, "_site/notes/brook/index.html  the file has the SHA-256 "),
        (lambda s: (s / "robots.txt").unlink(), "_site/robots.txt  the file is missing, and the manifest lists it"),
        (lambda s: (s / "more.txt").write_text("x"), "_site/more.txt  the manifest does not list the file"),
        (
            lambda s: (s / "more").symlink_to("/etc/hostname"),
            "_site/more  this is a link, and",
        ),
        (lambda s: (s / "more").symlink_to("/etc"), "_site/more  this is a link"),
        (lambda s: os.mkfifo(s / "more"), "_site/more  this is no regular file"),
        (lambda s: (s / "manifest.json").unlink(), "_site  no manifest.json lies in it"),
        (lambda s: (s / "manifest.json").write_bytes(b"\xff"), "_site/manifest.json  byte 0 is not UTF-8"),
    ],
)
def test_one_harm_is_found(
    harm: Callable[[Path], object], told: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify-site", str(project / "_site")]) == DONE
    harm(project / "_site")
    report = said(capsys, "verify-site", project / "_site")
    assert report.startswith(told)
    assert "1 problem in 1 file" in report
    assert said(capsys, "archive", "--project", project).startswith(told)
    assert said(capsys, "attest", "--project", project).startswith(told)


def test_a_harmed_archive_is_found(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in packing.ENDINGS:
        out = tmp_path / f"site{ending}"
        assert main(["archive", "-q", "--project", str(project), "--out", str(out)]) == DONE
        whole = out.read_bytes()
        for harmed in (whole[: len(whole) // 2], whole[:1000] + bytes([whole[1000] ^ 255]) + whole[1001:]):
            out.write_bytes(harmed)
            assert f"site{ending}  it cannot be read to its end: " in said(capsys, "verify-site", out)


def test_a_site_is_built_again(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "site.tar.zst"
    assert main(["archive", "-q", "--project", str(project), "--out", str(out)]) == DONE
    assert main(["verify-site", str(out), "--project", str(project), "--jobs", "1"]) == DONE
    assert f"as {project} gives them" in capsys.readouterr().out
    assert "built with --offline" in said(capsys, "verify-site", out, "--project", project, "--offline")
    record = project / "records" / "brook.json"
    record.write_text(record.read_text().replace('"title": "Brook"', '"title": "Brooke"'))
    told = said(capsys, "verify-site", out, "--project", project, "--jobs", "1")
    assert told.startswith(
        "site.tar.zst/assets/brook-hero-narrow.svg  the figure brook-hero.webp of records/brook.json is"
    )
    assert "not what the project gives, from line " in told
    assert "the SHA-256 of records/brook.json is " in told
    assert "…, in the manifest " in told
    assert "other files differ as well" in told


def test_a_template_that_differs_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "templates").mkdir()
    page = (RESOURCES / "templates" / "404.html.j2").read_text("utf-8")
    (project / "templates" / "404.html.j2").write_text(page.replace("</h1>", "!</h1>"), "utf-8")
    told = said(capsys, "verify-site", project / "_site", "--project", project, "--jobs", "1")
    assert told.startswith("_site/404.html  the page /404.html is not what the project gives, from line ")
    assert "templates/404.html.j2 is not among the inputs of the manifest" in told


# --- hostile archives


def tar_of(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for member, data in members:
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return file.getvalue()


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def long_header() -> bytes:
    info = member("a")
    info.pax_headers = {"comment": "x" * (packed.MAX_HEADER + 1)}
    return tar_of((info, b""))


def sparse() -> bytes:
    info = member("a")
    info.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(2**50)}
    return tar_of((info, b""))


def negative() -> bytes:
    raw = bytearray(tar_of((member("a"), b"")))
    raw[124:136] = b"\xff" * 12
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw[:512])
    return bytes(raw)


HOSTILE = {
    "../x": (tar_of((member("../x"), b"")), "the name ../x leads out of the site"),
    "deep": (tar_of((member("a/../../x"), b"")), "the name a/../../x leads out of the site"),
    "absolute": (tar_of((member("/etc/passwd"), b"")), "the name /etc/passwd is no path inside a site"),
    "drive": (tar_of((member("C:\\x"), b"")), "the name C:\\x is no path inside a site"),
    "control": (tar_of((member("a\x1b[2J"), b"")), "the name a\\u001b[2J holds a control character"),
    "symlink": (
        tar_of((member("a", tarfile.SYMTYPE, "/etc/passwd"), b"")),
        "a is a link, and a site",
    ),
    "hardlink": (tar_of((member("a", tarfile.LNKTYPE, "../b"), b"")), "a is a link"),
    "device": (tar_of((member("a", tarfile.CHRTYPE), b"")), "a is no regular file"),
    "pipe": (tar_of((member("a", tarfile.FIFOTYPE), b"")), "a is no regular file"),
    "twice": (tar_of((member("a"), b""), (member("./a"), b"")), "a stands in it twice"),
    "header": (long_header(), "is longer than any name"),
    "sparse": (sparse(), "a is no regular file"),
    "negative": (negative(), "a header gives a negative size"),
    "large": (tar_of((member("a"), bytes(packed.MAX_FILE + 1))), "and a file may have"),
    "no tar": (b"x" * 2000, "it cannot be read to its end"),
    "nothing": (b"", "it cannot be read to its end"),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_hostile_archive_is_refused(
    case: str, compress: Callable[[bytes], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw, told = HOSTILE[case]
    (tmp_path / "a").mkdir()
    archive = tmp_path / "a" / "x.tar.gz"
    archive.write_bytes(compress(raw))
    report = said(capsys, "verify-site", archive)
    assert report.startswith("x.tar.gz  ")
    assert told in report
    assert "  [bad-archive]\n" in report
    assert [p.name for p in tmp_path.rglob("*")] == ["a", "x.tar.gz"]


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_data_that_swell_are_refused(
    compress: Callable[[bytes], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of allowed sizes, four times as many bytes as an archive may hold; only as many are unpacked as may be."""
    bomb = tmp_path / "bomb.tar.gz"
    bomb.write_bytes(compress(tar_of(*((member(f"f{n}"), bytes(packed.FREE // 2)) for n in range(8)))))
    assert "more than 200 times its own size  [bad-archive]" in said(capsys, "verify-site", bomb)


SMALL = tar_of((member("index.html"), b"<p>x"), (member("manifest.json"), b"{}"))


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, len(SMALL) - 1), value=st.binary(min_size=1, max_size=12), cut=st.integers(0, 600))
def test_a_spoilt_archive_is_read_or_refused_and_never_more(at: int, value: bytes, cut: int, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path_factory.getbasetemp() / "spoilt.tar.gz"
    spoilt = SMALL[:at] + value + SMALL[at + len(value) :]
    file.write_bytes(gzip.compress(spoilt[: len(spoilt) - cut], 1))
    with pytest.raises(Rejected) as refused:
        read(file)
    assert {p.code for p in refused.value.problems} <= {"bad-archive", "bad-manifest", "broken-json", "not-utf8"}


def test_a_name_that_the_header_cannot_hold_comes_back(tmp_path: Path) -> None:
    names = ["ä" * 80 + "/" + "b" * 150, "plain"]
    out = tmp_path / "x.tar.zst"
    with packing.placed(out) as file:
        packing.pack(((name, name.encode()) for name in sorted(names)), file, ".tar.zst")
    with out.open("rb") as file:
        found: Iterator[tuple[str, bytes]] = packed.files_of_archive(file, out.name)
        assert dict(found) == {name: name.encode() for name in names}
