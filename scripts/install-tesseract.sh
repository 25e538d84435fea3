#!/usr/bin/env bash
# Tesseract, which reads scanned pages and pictures, from the distribution's own packages; English unless told otherwise.
# Usage: install-tesseract.sh [language …], such as `install-tesseract.sh eng deu`.
set -euo pipefail
languages=("${@:-eng}")
sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
if command -v apt-get >/dev/null; then
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends \
        tesseract-ocr "${languages[@]/#/tesseract-ocr-}" >/dev/null
elif command -v dnf >/dev/null; then
    $sudo dnf install -y -q tesseract "${languages[@]/#/tesseract-langpack-}"
elif command -v brew >/dev/null; then
    brew install tesseract tesseract-lang
else
    echo "Install Tesseract so that 'tesseract' is on the PATH, then run make again." >&2
    echo "On macOS: brew install tesseract tesseract-lang" >&2
    exit 1
fi
