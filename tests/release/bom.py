"""The locked packages → a CycloneDX 1.6 bill of materials, the same bytes from the same lock and packages."""

from __future__ import annotations

import json
import uuid
from importlib.metadata import version
from typing import Final

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from tests.release.packages import Package, packages

_NAMESPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "pkg:generic/pinpress")


def bom() -> bytes:
    """Return the bill; its serial number follows from its content, and it holds no time."""
    bill, locked = Bom(), list(packages())
    root = Component(name="pinpress", version=version("pinpress"), type=ComponentType.APPLICATION, bom_ref="pinpress")
    bill.metadata.component = root
    components = {(package.name, package.version): _component(package) for package in locked}
    bill.components.update(components.values())
    for package in locked:
        bill.register_dependency(components[package.name, package.version], [components[n] for n in package.needs])
    bill.register_dependency(root, components.values())
    told = json.loads(JsonV1Dot6(bill).output_as_string())
    del told["metadata"]["timestamp"], told["serialNumber"]
    content = json.dumps(told, sort_keys=True, ensure_ascii=False)
    told["serialNumber"] = uuid.uuid5(_NAMESPACE, content).urn
    return (json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _component(package: Package) -> Component:
    purl = PackageURL("pypi", None, package.name, package.version)
    files = [
        ExternalReference(
            type=ExternalReferenceType.DISTRIBUTION,
            url=XsUri(url),
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        )
        for url, digest in package.files
    ]
    licences = [LicenseFactory().make_from_string(package.licence)] if package.licence else []
    return Component(
        name=package.name,
        version=package.version,
        purl=purl,
        bom_ref=purl.to_string(),
        licenses=licences,
        external_references=files,
    )
