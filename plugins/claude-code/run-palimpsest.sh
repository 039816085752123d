#!/bin/sh
# Runs palimpsest where it is installed, else that of the clone that the plug-in is in, else through npx.
if command -v palimpsest >/dev/null 2>&1; then
  exec palimpsest "$@"
fi
root="$(dirname "$0")/../.."
if [ -f "$root/apps/palimpsest/dist/main.js" ]; then
  PATH="$root/node_modules/.bin:$PATH"
  exec node "$root/apps/palimpsest/dist/main.js" "$@"
fi
exec npx -y @palimpsest/cli "$@"
