"""Answers every request with the contents of the tenant."""

import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from botocore.exceptions import BotoCoreError, ClientError

from tokens import TokenSource, TokenUnavailable

CONTENTS_URL = f"{os.environ['CONTENT_BASE_URL']}/contents"
tokens = TokenSource(os.environ["TOKEN_SECRET_ID"], os.environ["TOKEN_REFRESH_ARN"])


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the Authorization header to wherever a redirect points."""

    def redirect_request(self, *_):
        return None


platform = urllib.request.build_opener(NoRedirects)


def read(url, token):
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    try:
        with platform.open(request, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def contents():
    token = tokens.get()
    status, body = read(CONTENTS_URL, token)
    if status == 401:  # a GET may be repeated; a write only if the platform promises that a 401 precedes processing
        status, body = read(CONTENTS_URL, tokens.replace(token))
    return status, body


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            status, body = contents()
        except (TokenUnavailable, BotoCoreError, ClientError, OSError) as error:
            self.log_error("%s", error)
            status, body = 503, b""
        self.send_response(status if status in (200, 503) else 502)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Service)
    print("ready", server.server_port, flush=True)
    server.serve_forever()
