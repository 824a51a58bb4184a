"""Reads one token that Latchkey keeps fresh, for all threads of a service."""

import hashlib
import json
import re
import threading
import time
from datetime import datetime

import boto3

CACHE_SEC = 300  # a stored token has at least ten minutes left in normal operation
MIN_LIFE_SEC = 60


class TokenUnavailable(Exception):
    """There is no usable token. The message quotes no secret, so it is safe to log."""


class TokenSource:
    """Keeps the token in memory for at most five minutes, and has it renewed or replaced. One per process."""

    def __init__(self, secret_id, token_refresh):
        self._secrets = boto3.client("secretsmanager")
        self._lambda = boto3.client("lambda")
        self._secret_id = secret_id
        self._token_refresh = token_refresh
        self._lock = threading.Lock()  # one thread reads or renews, and the others wait for its token
        self._value = None
        self._expires_at = self._read_at = 0.0

    def get(self):
        """The token to send."""
        with self._lock:
            if self._value is None or time.monotonic() - self._read_at > CACHE_SEC or self._life_sec() < MIN_LIFE_SEC:
                self._read()
            if self._life_sec() < MIN_LIFE_SEC:
                self._ensure()
            if self._life_sec() <= 0:
                raise TokenUnavailable("the token has expired")
            return self._value["accessToken"]

    def replace(self, refused):
        """The token to send after the platform answered 401 to `refused`; the same one if it cannot be replaced."""
        with self._lock:
            if self._value["accessToken"] == refused:
                self._read()
            if self._value["accessToken"] == refused:
                self._ensure(rejectedTokenSha256=hashlib.sha256(refused.encode()).hexdigest())
            return self._value["accessToken"]

    def _ensure(self, **more):
        """Has token-refresh renew the stored token if needed, and reads it. The answer never holds a token."""
        key = {name: self._value[name] for name in ("tenantId", "interface", "scope")}
        event = json.dumps({"action": "ensure", **key, **more})
        answer = json.loads(self._lambda.invoke(FunctionName=self._token_refresh, Payload=event)["Payload"].read())
        if not answer.get("ok"):
            raise TokenUnavailable(answer.get("error", {}).get("message", "token-refresh failed"))
        self._read()

    def _read(self):
        text = self._secrets.get_secret_value(SecretId=self._secret_id)["SecretString"]
        try:
            value = json.loads(text)
            expires_at = datetime.fromisoformat(value["expiresAt"].replace("Z", "+00:00")).timestamp()
            is_token = re.fullmatch(r"[!-~]+", value["accessToken"]) is not None
        except (ValueError, TypeError, KeyError, AttributeError):
            is_token = False
        if not is_token:
            raise TokenUnavailable("the secret holds no token") from None
        self._value, self._expires_at, self._read_at = value, expires_at, time.monotonic()

    def _life_sec(self):
        return self._expires_at - time.time()
