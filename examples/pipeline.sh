#!/usr/bin/env bash
# A CI step: create the SBOM, check it, keep the report, exit with the verdict.
#   syft "$IMAGE" -o cyclonedx-json=bom.json        (or trivy, cdxgen, npm sbom, …)
# Usage: examples/pipeline.sh bom.json
set -uo pipefail

eolgate=(npx --no-install eolgate)
[ -f bin/eolgate.js ] && eolgate=(node bin/eolgate.js)

"${eolgate[@]}" check "${1:?usage: pipeline.sh bom.json}" --report json=eolgate.json --report markdown=eolgate.md
code=$?
case "$code" in
  0) echo "gate passed" ;;
  1) echo "gate failed: see eolgate.md" ;;
  *) echo "no verdict (exit $code): do not treat this as a pass" ;;
esac
exit "$code"
