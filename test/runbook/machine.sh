# Commands of a machine with systemd, for a test that has none: a unit is a process, a journal is a file.
# NODE, CATTLE, HERE, LOG, CALLS and PLACE (a folder of the test's own) come from runbook-machine.ts.
set -o pipefail
cattle() { "$NODE" "$CATTLE" "$@"; }
npx() { shift; cattle "$@"; }
sudo() { if [ "$1" = -u ]; then shift 2; fi; "$@"; }
git() { ln -s "$NEXT" "$PLACE/cattle-next"; }
npm() { :; }
systemd-tmpfiles() { :; }
dmesg() { :; }

journalctl() {
  case "$*" in
    *--vacuum-time*) : >"$LOG" ;;
    *--rotate*) ;;
    *cattle-build*) cat "$PLACE/build.log" ;;
    *) cat "$LOG" ;;
  esac
}

systemctl() {
  echo "$*" >>"$CALLS"
  case "$*" in
    "start cattle-server@0") start_server ;;
    "stop cattle-server@0" | "stop cattle-server@0 cattle-server@1") stop_server ;;
    "restart cattle-server@0") stop_server && start_server ;;
    "start cattle-build.service") cattle build >>"$PLACE/build.log" 2>&1 ;;
    "show -p MainPID --value cattle-server@0") cat "$PLACE/pid" ;;
    "show -p NRestarts cattle-server@0") echo "NRestarts=$(cat "$PLACE/restarts")" ;;
    *) echo 0 ;;
  esac
}

start_server() {
  setsid bash "$HERE/supervise.sh" </dev/null >/dev/null 2>&1 &
  echo $! >"$PLACE/supervisor"
}

stop_server() {
  : >"$PLACE/stopped"
  kill "$(cat "$PLACE/pid")" 2>/dev/null
  while kill -0 "$(cat "$PLACE/supervisor")" 2>/dev/null; do sleep 0.1; done
  rm -f "$PLACE/stopped"
}
