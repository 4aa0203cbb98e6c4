"""Where each source answers, and which replacements of that address are acceptable."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from costcalc.errors import InputError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The base URL of a source.

    Attributes:
        variable: environment variable that replaces `default`.
        hosts: hosts that links inside an answer may name (they are followed at the base URL).
    """

    variable: str
    default: str
    hosts: tuple[str, ...] = ()

    def base(self, environ: Mapping[str, str]) -> str:
        """The base URL in use, without a slash at the end.

        Raises:
            InputError: no URL, neither https nor loopback, or credentials inside it.
        """
        chosen = environ.get(self.variable, "").strip()
        return checked_base(chosen, self.variable) if chosen else self.default


AWS_BULK = Endpoint("COSTCALC_AWS_BULK_ENDPOINT", "https://pricing.us-east-1.amazonaws.com")
GCP = Endpoint("COSTCALC_GCP_ENDPOINT", "https://cloudbilling.googleapis.com")
AZURE = Endpoint("COSTCALC_AZURE_ENDPOINT", "https://prices.azure.com", ("prices.azure.com",))
OCI = Endpoint("COSTCALC_OCI_ENDPOINT", "https://apexapps.oracle.com")
BANXICO = Endpoint("COSTCALC_BANXICO_ENDPOINT", "https://www.banxico.org.mx")
ECB = Endpoint("COSTCALC_ECB_ENDPOINT", "https://www.ecb.europa.eu")
AWS_VARIABLES = (
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_PRICING",
    "AWS_ENDPOINT_URL_SAVINGSPLANS",
    "AWS_ENDPOINT_URL_EC2",
)


def is_loopback(host: str | None) -> bool:
    """True for this machine only: `localhost`, 127.0.0.0/8, ::1."""
    if host is None:
        return False
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def checked_base(url: str, variable: str) -> str:
    """`url` as a base URL that may be asked.

    Raises:
        InputError: no URL, neither https nor loopback, or credentials inside it (they are not
            repeated in the message).
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InputError("sources.endpoint_invalid", variable=variable) from None
    if parts.username is not None or parts.password is not None:
        raise InputError("sources.endpoint_credentials", variable=variable)
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise InputError("sources.endpoint_invalid", variable=variable)
    if parts.scheme == "http" and not is_loopback(host):
        raise InputError("sources.endpoint_plain_http", variable=variable, host=host)
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def check_aws(environ: Mapping[str, str]) -> None:
    """Refuse an SDK endpoint that would send signed requests in the clear.

    Raises:
        InputError: as `checked_base`.
    """
    for variable in AWS_VARIABLES:
        if environ.get(variable, "").strip():
            checked_base(environ[variable].strip(), variable)


def join(base: str, path: str) -> str:
    """`path` (from the root of the source) below `base`, which may already end with it."""
    return base if base.endswith(path.rstrip("/")) else base + path


def shown(base: str) -> str:
    """Host (and port) as a source note names it."""
    return urlsplit(base).netloc


def next_link(link: str, base: str, hosts: tuple[str, ...]) -> str:
    """The URL of the next page: path and query of `link`, always at the host that is in use.

    Raises:
        ValueError: the link leads to a foreign host, or is no link.
    """
    parts, own = urlsplit(link), urlsplit(base)
    if parts.hostname not in (None, own.hostname, *hosts) or not parts.path.startswith("/"):
        raise ValueError(link)
    path = parts.path
    if parts.hostname in hosts and parts.hostname != own.hostname:
        # the link names the public host; the base may be a proxy with a path of its own
        path = join(own.path.rstrip("/"), path)
    return urlunsplit((own.scheme, own.netloc, path, parts.query, ""))
