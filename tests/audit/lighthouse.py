"""Lighthouse on a served page: three categories that must be full, and the one that depends on the machine."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.browser import FLAGS

Form = Literal["desktop", "mobile"]

JUDGED = ("accessibility", "best-practices", "seo")

_MEASURES = {
    "first-contentful-paint": "FCP",
    "largest-contentful-paint": "LCP",
    "cumulative-layout-shift": "CLS",
    "total-blocking-time": "TBT",
}


@dataclass(frozen=True)
class Look:
    """One report of Lighthouse."""

    report: dict[str, Any]

    def performance(self) -> float:
        """Return the score from 0 to 100; it depends on the machine and on what else it does."""
        return 100.0 * (self.report["categories"]["performance"]["score"] or 0)

    def measures(self) -> str:
        """Write the performance score and what it is made of on one line."""
        found = [f"{name} {self.report['audits'][key]['displayValue']}" for key, name in _MEASURES.items()]
        return f"performance {self.performance():.0f} ({', '.join(found)})"

    def faults(self) -> list[str]:
        """Return each judged category that is not at 100, and each audit that keeps it from there."""
        faults = [f"Lighthouse: {self.report['runtimeError']['message']}"] if "runtimeError" in self.report else []
        for name in JUDGED:
            category = self.report["categories"][name]
            if category["score"] == 1:
                continue
            faults.append(f"Lighthouse {name}: {category['score']} instead of 1")
            faults += [self._audit(ref["id"]) for ref in category["auditRefs"] if self._fell_short(ref)]
        return faults

    def _fell_short(self, ref: dict[str, Any]) -> bool:
        score = self.report["audits"][ref["id"]]["score"]
        return ref["weight"] > 0 and score is not None and score < 1

    def _audit(self, key: str) -> str:
        audit = self.report["audits"][key]
        items = json.dumps(audit.get("details", {}).get("items", []), ensure_ascii=False)
        return f"Lighthouse {key}: {audit['title']} {items[:300]}"


@dataclass(frozen=True)
class Lighthouse:
    """Lighthouse's command line with its own Chromium, which reaches the loopback address only."""

    node: str
    script: Path
    chromium: str
    runs: int = 1

    def look(self, url: str, form: Form) -> Look:
        """Look at `url` `runs` times as a desktop or a phone; return the look of median performance."""
        looks = sorted((self._once(url, form) for _ in range(self.runs)), key=Look.performance)
        return looks[len(looks) // 2]

    def _once(self, url: str, form: Form) -> Look:
        flags = " ".join(["--headless=new", *map(_quoted, FLAGS)])
        command = [self.node, str(self.script), url, "--quiet", "--no-enable-error-reporting"]
        command += ["--output=json", "--output-path=stdout", f"--chrome-flags={flags}"]
        command += ["--preset=desktop"] if form == "desktop" else []
        environment = os.environ | {"CHROME_PATH": self.chromium}
        run = subprocess.run(
            command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False, timeout=180
        )
        if not run.stdout.startswith("{"):
            raise RuntimeError(f"Lighthouse ended with {run.returncode}: {run.stderr}")
        return Look(json.loads(run.stdout))


def _quoted(flag: str) -> str:
    """Quote the value of a browser flag, as Lighthouse wants it when it holds blanks."""
    name, equals, value = flag.partition("=")
    return f'{name}="{value}"' if equals else flag
