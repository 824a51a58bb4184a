#!/usr/bin/env python3
"""Calls the platform with an access token from AWS's cache on this machine, by HTTP: the Parameters and Secrets Lambda Extension, or the
Secrets Manager Agent.

    python3 read_token_from_cache.py SECRET_ID URL [agent]

Prints the status of the answer. Needs Python alone. With `agent`, a token that was refused or is about to expire is read again at once
(refreshNow), which the extension cannot do. The token never stands in an argument, in the environment or in what is printed.
"""

import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime
from pathlib import Path

MIN_LIFE_SEC = 60


def cache_token():
    """Proves to the cache that the caller is of this machine. The agent's may be in a file: AWS_TOKEN=file:///var/run/awssmatoken."""
    for name in ("AWS_TOKEN", "AWS_SESSION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN"):
        value = os.environ.get(name, "")
        if value.startswith("file://"):
            return Path(value[len("file://") :]).read_text().strip()
        if value:
            return value
    raise LookupError("none of AWS_TOKEN, AWS_SESSION_TOKEN, AWS_CONTAINER_AUTHORIZATION_TOKEN is set")


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """As shipped, urllib takes the Authorization header along to wherever a redirect points."""

    def redirect_request(self, *_):
        return None


platform = urllib.request.build_opener(NoRedirects)
# A proxy is for the platform, not for this machine.
local = urllib.request.build_opener(NoRedirects, urllib.request.ProxyHandler({}))


def read(secret_id, refresh_now=False):
    """The stored token. With refresh_now, not from the cache."""
    port = os.environ.get("PARAMETERS_SECRETS_EXTENSION_HTTP_PORT", "2773")
    query = {"secretId": secret_id, **({"refreshNow": "true"} if refresh_now else {})}
    request = urllib.request.Request(
        f"http://localhost:{port}/secretsmanager/get?{urllib.parse.urlencode(query)}",
        headers={"X-Aws-Parameters-Secrets-Token": cache_token()},
    )
    try:
        with local.open(request, timeout=10) as answer:
            value = json.loads(json.load(answer)["SecretString"])
    except urllib.error.HTTPError as error:
        raise LookupError(f"the cache answered {error.code} for {secret_id}") from None
    # What does not fit into a header would stand in the error of whoever tries.
    if not re.fullmatch(r"[!-~]+", str(value["accessToken"])):
        raise LookupError(f"{secret_id} holds no token")
    return value


def life_left(value):
    return datetime.fromisoformat(value["expiresAt"].replace("Z", "+00:00")).timestamp() - time.time()


def status_of(url, value):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {value['accessToken']}"})
    try:
        with platform.open(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def main(secret_id, url, cache="extension"):
    if not url.startswith("https://"):
        raise SystemExit(f"URL: found {url}; allowed: https://…")
    value = read(secret_id)
    if life_left(value) < MIN_LIFE_SEC and cache == "agent":
        value = read(secret_id, refresh_now=True)
    if life_left(value) <= 0:
        raise LookupError(f"the token in {secret_id} has run out")
    status = status_of(url, value)
    # A read may be repeated; a write only where the platform promises that a 401 comes before anything was done.
    if status == 401 and cache == "agent":
        status = status_of(url, read(secret_id, refresh_now=True))
    print(status)
    return 0 if status == 200 else 1


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["agent"]):
        raise SystemExit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (LookupError, TypeError, ValueError, OSError) as error:
        # A value that is no token may be anything, also a secret: only errors that are known not to quote it are shown.
        is_quoting = isinstance(error, (KeyError, TypeError, ValueError))
        raise SystemExit(f"read_token: {'the secret holds no token' if is_quoting else error}") from None
