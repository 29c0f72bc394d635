#!/bin/sh
# Checks an image in a registry and attaches the verdict to it with cosign, which signs it with a key or without one.
# Usage: cosign.sh IMAGE@sha256:DIGEST [cosign flags, such as --key cosign.key]
set -eu
image=$1
shift
eolgate check --image "$image" --report in-toto=verdict.intoto.json
type=$(jq -r .predicateType verdict.intoto.json)
jq .predicate verdict.intoto.json > predicate.json
cosign attest --yes --type "$type" --predicate predicate.json "$@" "$image"
