set -- $HOSTS
part=0
for host; do
    part=$((part + 1))
    ssh "$host" "cd bots && jantaku $MATCH --quiet --part $part/$# --out parts/$part && tar -c parts/$part" | tar -x &
done
wait
jantaku collect parts/* --out match
