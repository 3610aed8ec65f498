# What end-to-end scripts share: a Godwit of their own in a directory of their own, one guest, and a
# witness who hears its heartbeats from outside. Everything ends with the script, however it ends.
set -uo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[ "${ALONE_FOR:-}" = "$0" ] || exec "$top/tools/alone" ${alone:-} "$0" "$@"
dir=$ALONE_IN
export KUBECONFIG=$dir/kubeconfig KUBECACHEDIR=$dir/kubectl
godwit=$top/build/godwit
witness=$top/build/witness
disk_mib=${DISK_MIB:-64}

say() { printf '%s\n' "$*"; }
die() {
  say "FAILED: $*"
  if [ -e "$KUBECONFIG" ]; then
    kubectl get vmi,vmim,volumemigrations,pods,pvc,pv 2>&1
    tail -n 20 "$dir"/log/*.log "$dir"/nodes/*/host/log/*.log 2>/dev/null
    # Of the last moves also what their movers have said, and put on record.
    ls -td "$dir"/nodes/*/moves/* 2>/dev/null | head -4 | while read -r move; do tail -n 20 "$move/log" "$move/journal" 2>/dev/null; done
  fi
  exit 1
}

begin() {
  trap finish EXIT
  "$godwit" up --dir "$dir" --nodes "${1:-3}" ${UP_OPTIONS:-} --detach || die "godwit up"
}

finish() {
  local code=$?
  "$godwit" down --dir "$dir" || code=1
  exit "$code"
}

# The VM "guest": its disk is a volume of class `shared` on which the test guest has been installed.
start_guest() {
  mkdir -p "$dir/shared/root"
  "$witness" install "$dir/shared/root/disk.img" "$disk_mib" ${GUEST_OPTIONS:-} || die "installing the guest"
  [ -z "${FILL_MIB:-}" ] || dd if=/dev/urandom of="$dir/shared/root/disk.img" bs=1M seek=2 count="$FILL_MIB" conv=notrunc status=none
  "$witness" watch "$dir/heard" "$dir"/nodes/*/consoles &
  witness_pid=$!
  kubectl apply -f - <<YAML || die "the disk"
apiVersion: v1
kind: PersistentVolume
metadata: {name: root}
spec:
  capacity: {storage: ${disk_mib}Mi}
  accessModes: [ReadWriteMany]
  storageClassName: shared
  hostPath: {path: $dir/shared/root}
  claimRef: {namespace: default, name: disk-0}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk-0}
spec:
  accessModes: [ReadWriteMany]
  storageClassName: shared
  resources: {requests: {storage: ${disk_mib}Mi}}
YAML
  boot_guest
}

# The same with a disk of class `iscsi`: a LUN of the target daemon that Godwit runs.
start_guest_on_lun() {
  claim disk-0 iscsi
  await pvc disk-0 Bound || die "the claim is not bound: $(field pvc disk-0 '{.status.conditions}')"
  install_on_lun disk-0
  "$witness" watch "$dir/heard" "$dir"/nodes/*/consoles &
  boot_guest
}

lun_image() { say "$dir/luns/$(field pvc "$1" '{.spec.volumeName}')/disk.img"; } # claim
install_on_lun() { # claim
  mkdir -p "$(dirname "$(lun_image "$1")")"
  "$witness" install "$(lun_image "$1")" "$disk_mib" ${GUEST_OPTIONS:-} || die "installing the guest"
}

# A VM whose disks are these volumes, by their names and what they are.
make_vm() { # name memory {name volume}...
  local name=$1 memory=$2 disks="" volumes=""
  shift 2
  while [ $# -gt 0 ]; do
    disks="$disks{name: $1, disk: {bus: virtio}}, "
    volumes="$volumes{name: $1, $2}, "
    shift 2
  done
  kubectl apply -f - > /dev/null <<YAML || die "VM $name"
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: $name}
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        devices: {disks: [$disks]}
        resources: {requests: {memory: $memory}}
      volumes: [$volumes]
YAML
}

boot_guest() {
  make_vm guest "${GUEST_MEMORY:-16Mi}" root 'persistentVolumeClaim: {claimName: disk-0}'
  await vmi guest Running || die "the guest does not start: $(field vmi guest '{.status.conditions[*].message}')"
  await_heartbeat
}

claim() { # name class
  kubectl apply -f - <<YAML || die "claim $1"
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: $2
  resources: {requests: {storage: ${disk_mib}Mi}}
YAML
}

migrate() { # name
  kubectl apply -f - <<YAML || die "migration $1"
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstanceMigration
metadata: {name: $1}
spec: {vmiName: guest}
YAML
}

move_volume() { # name source destination mechanism
  kubectl apply -f - <<YAML || die "volume migration $1"
apiVersion: storage.kubevirt.io/v1alpha1
kind: VolumeMigration
metadata: {name: $1}
spec:
  mechanism: $4
  migratedVolume: [{sourceClaim: $2, destinationClaim: $3}]
YAML
}

# Speaks HTTP itself, as the user of the kubeconfig. Further arguments are curl's.
call() { # method path arguments...
  local method=$1 path=$2
  shift 2
  [ -e "$dir/tls/key" ] || keep_credentials
  curl -sS -X "$method" --cacert "$dir/tls/ca" --cert "$dir/tls/cert" --key "$dir/tls/key" -H 'Content-Type: application/yaml' \
    "$@" "$(cat "$dir/tls/server")$path"
}
us_now() { say $(($(date +%s%N) / 1000)); }
# Makes an object and waits for its end, and leaves in took_us how long that was. The watch is there before the object is:
# what counts is the request, and the end on record.
time_to_end() { # path name content
  local begin line
  [ -e "$dir/tls/key" ] || keep_credentials
  exec 7< <(exec timeout 300 curl -sSN --cacert "$dir/tls/ca" --cert "$dir/tls/cert" --key "$dir/tls/key" \
    "$(cat "$dir/tls/server")$1?watch=true&fieldSelector=metadata.name%3D$2" 2> /dev/null)
  begin=$(us_now)
  call POST "$1" -o /dev/null --data-binary "$3"
  while read -r line <&7; do [[ $line =~ \"phase\":\"(Succeeded|Failed)\" ]] && break; done
  took_us=$(($(us_now) - begin))
  exec 7<&-
  [ "${BASH_REMATCH[1]:-}" = Succeeded ] || die "$2: $line"
}
of_config() { kubectl config view --raw -o "jsonpath=$1"; }
keep_credentials() {
  (umask 077 && mkdir -p "$dir/tls")
  of_config '{.clusters[0].cluster.server}' > "$dir/tls/server"
  of_config '{.clusters[0].cluster.certificate-authority-data}' | base64 -d > "$dir/tls/ca"
  of_config '{.users[0].user.client-certificate-data}' | base64 -d > "$dir/tls/cert"
  of_config '{.users[0].user.client-key-data}' | base64 -d > "$dir/tls/key"
}

field() { kubectl get "$1" "$2" -o "jsonpath=$3" 2>/dev/null; }
node() { field vmi guest '{.status.nodeName}'; }

# Runs a command that goes on for ever until it prints a line that matches; says the line.
first_line() { # seconds pattern command...
  local seconds=$1 pattern=$2 line pid found=1
  shift 2
  exec 9< <(exec timeout "$seconds" "$@" 2>/dev/null)
  pid=$!
  while read -r line <&9; do
    [[ $line =~ $pattern ]] && { say "$line"; found=0; break; }
  done
  kill "$pid" 2>/dev/null
  exec 9<&-
  return $found
}

# Waits until a field of the object matches the pattern; says what it is. A watch that breaks is begun again.
# The object is selected from a list: when kubectl watches one by its name it reads it, begins the watch, and drops
# what the watch says first - so a change between the two is never printed.
await_field() { # kind name path pattern [seconds]
  local deadline=$((SECONDS + ${5:-60}))
  while [ $SECONDS -lt $deadline ]; do
    first_line $((deadline - SECONDS)) "^($4)\$" kubectl get "$1" --field-selector "metadata.name=$2" -w -o "jsonpath=$3{\"\\n\"}" && return 0
  done
  return 1
}
await() { await_field "$1" "$2" '{.status.phase}' "$3" "${4:-60}"; } # kind name pattern [seconds]

# The sum of a metric's samples, of those whose labels contain the text.
metric() { # name [labels]
  kubectl get --raw /metrics | awk -v name="$1" -v labels="${2:-}" '
    { said = $1; sub(/{.*/, "", said) } said == name && index($0, labels) { sum += $NF } END { printf "%.0f", sum }'
}
# What is counted follows what is written by a moment.
await_metric() { # name labels value
  local deadline=$((SECONDS + 20))
  while [ $SECONDS -lt $deadline ]; do [ "$(metric "$1" "$2")" = "$3" ] && return 0; done
  die "$1{$2} is $(metric "$1" "$2"), not $3"
}

# Waits until there is no such object. An older kubectl calls it an error when there is none to begin with.
await_gone() { # kind name
  timeout 30 kubectl wait "$1" "$2" --for=delete > /dev/null 2>&1 || ! kubectl get "$1" "$2" > /dev/null 2>&1
}

# Waits for a heartbeat that is heard from now on.
# The processes that carry out moves. Those that wait for one have no lock.
movers() { lslocks -run -o PID,PATH | grep -oP "^\d+(?= $dir/nodes/[^/]+/moves/[^/]+/lock\$)"; }
await_heartbeat() { first_line 20 ' H ' tail -n 0 -f "$dir/heard" > /dev/null || die "the guest is silent"; }
now() { tail -n 1 "$dir/heard" | cut -d' ' -f1; }
outage_ms() { "$witness" outage "$dir/heard" --since "$1" | sed -n 's/^longest gap ms //p'; }
last_record() { printf '%d' "0x$(grep ' H ' "$dir/heard" | tail -n 1 | awk '{print $4}')"; }

image() { # of the claim that the VMI uses now
  local claim path
  claim=$(field vmi guest '{.spec.volumes[0].persistentVolumeClaim.claimName}')
  path=$(field pv "$(field pvc "$claim" '{.spec.volumeName}')" '{.spec.local.path}{.spec.hostPath.path}')
  if [ -n "$path" ]; then say "$path/disk.img"; else lun_image "$claim"; fi
}

# All records that were heard are on the disk that the guest uses now.
verify() {
  await_heartbeat
  "$witness" verify "$(image)" --at-least "$(last_record)" > "$dir/verdict" || die "records are missing on $(image): $(cat "$dir/verdict")"
}

# The libvirt of a node: root's, or an ordinary user's.
libvirt() { # node arguments...
  local mode=system node=$1
  shift
  [ "$(id -u)" = 0 ] || mode=session
  virsh -q -c "qemu+unix:///$mode?socket=$dir/nodes/$node/host/run/libvirt/libvirt-sock" "$@" 2> /dev/null
}

# Exactly one copy runs, on the node that the VMI names.
check_one_copy() {
  local name running=""
  for name in $(kubectl get nodes -o 'jsonpath={.items[*].metadata.name}'); do
    libvirt "$name" list --state-running --name | grep -q . && running="$running $name"
  done
  [ "$running" = " $(node)" ] || die "the guest runs on '$running', the VMI says '$(node)'"
}
