#!/usr/bin/env bash
# Packs, installs the package into an empty folder as a user would, runs the main job there, and prints the size.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$(pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tarball=$(npm pack --silent --ignore-scripts --pack-destination "$folder" | tail -n 1)
cd "$folder"
echo '{"private": true}' >package.json
npm install --silent --no-audit --no-fund --omit=dev "./$tarball"
# Before the first run, which writes caches.
bytes=$(find node_modules -type f -printf '%s\n' | awk '{ sum += $1 } END { printf "%.0f", sum / 1e6 }')
export PATH="$here/node_modules/.bin:$PATH"
set +e
node node_modules/eolgate/bin/eolgate.js check "$here/examples/web-shop.cdx.json" >out.txt
code=$?
set -e
[ "$code" -eq 1 ] || { echo "the gate left with $code, 1 was expected"; cat out.txt; exit 1; }
node --input-type=module -e 'import { readSbom } from "eolgate"; if (typeof readSbom !== "function") throw new Error("no library")'
hello='{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"try","version":"1"}}}'
echo "$hello" | timeout 20 node node_modules/eolgate/bin/eolgate.js mcp | grep -q '"serverInfo"' || { echo "no MCP"; exit 1; }
echo "installed: $bytes MB, $(du -sm node_modules | cut -f1) MB on disk, in $(find node_modules -name package.json -path '*node_modules/*' -not -path '*/test/*' | grep -cE 'node_modules/(@[^/]+/)?[^/]+/package.json$') packages; tarball $(du -k "$tarball" | cut -f1) kB"
