# Runs each NUL-separated text of descriptor 3 in a subshell of its own and leaves bash's own trace of it in /t/N:
# every simple command that runs, expanded, one record each behind \001 bytes. Nothing but cat is found on PATH, so
# no program acts; ORACLE says whether commands that are not found succeed.
export LC_ALL=C.UTF-8
n=0
while IFS= read -r -d '' t <&3; do
  ( ulimit -t 1 -f 400
    exec 9>"/t/$n" 3<&-
    BASH_XTRACEFD=9
    PS4=$'\001'
    command_not_found_handle() { (( ORACLE == 0 )); }
    set -x
    eval "$t"
    { set +x; wait; } 2>/dev/null ) </dev/null >/dev/null 2>&1
  n=$((n+1))
done
