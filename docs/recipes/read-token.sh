#!/usr/bin/env bash
# Calls the platform with an access token that Latchkey keeps fresh:
#
#     read-token.sh SECRET_ID URL
#
# Prints the answer's body. Needs the AWS CLI, jq and curl, and secretsmanager:GetSecretValue on the one secret.
# The token goes through pipes and built-in commands: it never stands in an argument, in the environment or in a file.
set -euo pipefail
set +x # else `bash -x` would show the token

if [ $# -ne 2 ] || [[ $2 != https://* ]]; then
  echo "usage: read-token.sh SECRET_ID https://…" >&2
  exit 2
fi

header=$(
  aws secretsmanager get-secret-value --secret-id "$1" --query SecretString --output text |
    jq --exit-status --raw-output '
      if (.accessToken | type != "string" or (test("^[!-~]+$") | not)) then error("the secret holds no token")
      elif (.expiresAt | sub("[.][0-9]+Z$"; "Z") | fromdate) <= now then error("the token has run out")
      else "Authorization: Bearer \(.accessToken)" end'
)
# --disable: a ~/.curlrc with `verbose` would show the token. --globoff: brackets in a URL are no patterns.
printf '%s\n' "$header" |
  curl --disable --silent --show-error --fail-with-body --proto '=https' --globoff --header @- --url "$2"
