#!/usr/bin/env bash
# Chromium for the browser journeys, from the distribution's own packages.
set -euo pipefail
sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
if command -v apt-get >/dev/null; then
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null
elif command -v dnf >/dev/null; then
    $sudo dnf install -y -q chromium
else
    echo "Install Chromium so that 'chromium' is on the PATH, then run make again." >&2
    exit 1
fi
