#!/usr/bin/env python3
"""Calls the platform with an access token that Latchkey keeps fresh.

    python3 read_token.py SECRET_ID URL [TOKEN_REFRESH_FUNCTION]

Prints the status of the answer. Needs boto3, secretsmanager:GetSecretValue on the one secret and, with a function named,
lambda:InvokeFunction on it. The token never stands in an argument, in the environment or in what is printed.
"""

import hashlib
import json
import re
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime

import boto3
from botocore.exceptions import BotoCoreError, ClientError

CACHE_SEC = 300
"""A stored token has at least ten minutes left in normal running, so five minutes in memory are safe."""

MIN_LIFE_SEC = 60


class TokenReader:
    """Reads one token secret, and keeps what it read for five minutes at most."""

    def __init__(self, secret_id, token_refresh=None):
        self._secrets = boto3.client("secretsmanager")
        self._lambda = boto3.client("lambda") if token_refresh else None
        self._secret_id = secret_id
        self._token_refresh = token_refresh
        self._value = None
        self._read_at = 0.0

    def get(self):
        """The token to send. Raises LookupError if the stored one has run out."""
        if self._value is None or time.monotonic() - self._read_at > CACHE_SEC or self._life_left() < MIN_LIFE_SEC:
            self._read()
        if self._life_left() < MIN_LIFE_SEC and self._token_refresh:
            self._ensure({})
            self._read()
        if self._life_left() <= 0:
            raise LookupError(f"the token in {self._secret_id} has run out")
        return self._value["accessToken"]

    def refused(self, token):
        """Says that the platform answered 401 to this token. Returns whether get() has another one now."""
        self._read()
        if self._value["accessToken"] == token and self._token_refresh:
            self._ensure({"rejectedTokenSha256": hashlib.sha256(token.encode()).hexdigest()})
            self._read()
        return self._value["accessToken"] != token

    def _read(self):
        answer = self._secrets.get_secret_value(SecretId=self._secret_id)
        value = json.loads(answer["SecretString"])
        # What does not fit into a header would stand in the error of whoever tries.
        if not re.fullmatch(r"[!-~]+", str(value["accessToken"])):
            raise LookupError(f"{self._secret_id} holds no token")
        self._value = value
        self._read_at = time.monotonic()

    def _life_left(self):
        expires_at = datetime.fromisoformat(self._value["expiresAt"].replace("Z", "+00:00"))
        return expires_at.timestamp() - time.time()

    def _ensure(self, more):
        target = {field: self._value[field] for field in ("tenantId", "interface", "scope")}
        event = {"action": "ensure", **target, **more}
        answer = self._lambda.invoke(FunctionName=self._token_refresh, Payload=json.dumps(event))
        result = json.loads(answer["Payload"].read())
        if not result.get("ok"):
            raise RuntimeError(result["error"]["message"] if "error" in result else "token-refresh failed")


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """As shipped, urllib takes the Authorization header along to wherever a redirect points."""

    def redirect_request(self, *_):
        return None


platform = urllib.request.build_opener(NoRedirects)


def status_of(url, token):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    try:
        with platform.open(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def main(secret_id, url, token_refresh=None):
    if not url.startswith("https://"):
        raise SystemExit(f"URL: found {url}; allowed: https://…")
    reader = TokenReader(secret_id, token_refresh)
    token = reader.get()
    status = status_of(url, token)
    # A read may be repeated; a write only where the platform promises that a 401 comes before anything was done.
    if status == 401 and reader.refused(token):
        status = status_of(url, reader.get())
    print(status)
    return 0 if status == 200 else 1


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except (BotoCoreError, ClientError, LookupError, TypeError, ValueError, RuntimeError, OSError) as error:
        # A value that is no token may be anything, also a secret: only errors that are known not to quote it are shown.
        is_quoting = isinstance(error, (TypeError, ValueError))
        raise SystemExit(f"read_token: {'the secret holds no token' if is_quoting else error}") from None
