#!/usr/bin/env bash
# Calls the platform with an access token that Latchkey keeps fresh:
#
#     read-token.sh SECRET_ID URL
#
# Prints the answer's body. Needs the AWS CLI, jq and curl, and secretsmanager:GetSecretValue on the one secret.
# The token goes through pipes and built-in commands: it never stands in an argument, in the environment or in a file.
set -euo pipefail
secret_id=${1:?SECRET_ID} url=${2:?URL}

header=$(
  aws secretsmanager get-secret-value --secret-id "$secret_id" --query SecretString --output text |
    jq --exit-status --raw-output '
      (.expiresAt | sub("[.][0-9]+Z$"; "Z") | fromdate) as $ends
      | if $ends > now then "Authorization: Bearer \(.accessToken)" else error("the token has run out") end'
)
printf '%s\n' "$header" |
  curl --silent --show-error --fail-with-body --proto '=https' --header @- "$url"
