#!/usr/bin/env bash
case "$*" in
    play*) echo played ;;
    "-c import sys; "*) exit $TOO_OLD ;;
    "-c "*core*) ls table/compiled.*.json > /dev/null 2>&1 && echo compiled || echo plain Python ;;
    --version) echo Python 3.11.99 ;;
    "-m venv "*)
        [ $VENV = works ] || { printf 'It was not created.\nFailing command: ensurepip\n'; exit 1; }
        mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/jantaku ;;
    "-m pip "*)
        [ $PIP != stopped ] || kill -INT 0
        [ $PIP != compiles ] || touch table/compiled.fake.json
        case $PIP in works | compiles) exit 0 ;; esac
        printf '  ERROR: No matching distribution\nnote: from a subprocess\n'
        exit 1 ;;
esac
