seq "$PARTS" | parallel --jobs "$JOBS" --retries 3 --joblog parallel.log \
    "jantaku $MATCH --workers 0 --quiet --part {}/$PARTS --out parts/{}"
jantaku collect parts/* --out match
