#!/bin/sh
# Runs palimpsest where it is installed, else through npx.
if command -v palimpsest >/dev/null 2>&1; then
  exec palimpsest "$@"
fi
exec npx -y @palimpsest/cli "$@"
