# Runs a server as its unit does: again after a signal that it died of, with the line that systemd writes then.
ulimit -c 0
restarts=0
while :; do
  echo $restarts >"$PLACE/restarts"
  # shellcheck disable=SC2086 # The options are words.
  "$NODE" $SERVER_OPTIONS "$SERVER" >>"$LOG" 2>&1 &
  echo $! >"$PLACE/pid"
  wait $!
  code=$?
  if [ -e "$PLACE/stopped" ] || [ $code -lt 128 ]; then exit; fi
  signal=$((code - 128))
  echo "cattle-server@0.service: Main process exited, code=killed, status=$signal/$(kill -l $signal)" >>"$LOG"
  restarts=$((restarts + 1))
  sleep 0.2
done
