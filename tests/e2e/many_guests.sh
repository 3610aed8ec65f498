# Many guests at once, for those that want to see how they are placed, how soon they run, or what they cost.
# The first ones have wishes: so many that each want nearly all processors of a node...
big=${big:-3}
ring=${ring:-3}     # ...that keep away from each other...
pinned=${pinned:-3} # ...and that want node-2.
local_every=${local_every:-3} # So often one has a second disk, of class local.

disks() { # number
  mkdir -p "$dir/shared/root-$1"
  "$witness" install "$dir/shared/root-$1/disk.img" 8 --pace 50 || die "installing guest $1"
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: root-$1}
spec:
  capacity: {storage: 8Mi}
  accessModes: [ReadWriteMany]
  storageClassName: shared
  hostPath: {path: $dir/shared/root-$1}
  claimRef: {namespace: default, name: root-$1}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: root-$1}
spec: {accessModes: [ReadWriteMany], storageClassName: shared, resources: {requests: {storage: 8Mi}}}
YAML
}

# What the guest with this number asks of its node.
wishes() { # number
  if [ "$1" -le $big ]; then
    echo "      nodeSelector: {kubernetes.io/os: linux}"
  elif [ "$1" -le $((big + ring)) ]; then
    cat <<YAML
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: ring}}}
YAML
  elif [ "$1" -le $((big + ring + pinned)) ]; then
    echo "      nodeSelector: {kubernetes.io/hostname: node-2}"
  fi
}

guest() { # number milli-cpus
  local volumes="{name: root, persistentVolumeClaim: {claimName: root-$1}}" disks="{name: root, disk: {bus: virtio}}" cpu="" app=lone
  [ "$1" -gt $big ] || cpu=", cpu: ${2}m"
  [ "$1" -le $big ] || [ "$1" -gt $((big + ring)) ] || app=ring
  if [ $(($1 % local_every)) = 0 ]; then
    volumes="$volumes, {name: data, persistentVolumeClaim: {claimName: data-$1}}" disks="$disks, {name: data, disk: {bus: virtio}}"
    cat <<YAML
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-$1}
spec: {accessModes: [ReadWriteOnce], storageClassName: local, resources: {requests: {storage: 8Mi}}}
YAML
  fi
  cat <<YAML
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: guest-$1}
spec:
  runStrategy: Always
  template:
    metadata: {labels: {app: $app}}
    spec:
$(wishes "$1")
      domain:
        devices: {disks: [$disks]}
        resources: {requests: {memory: 16Mi$cpu}}
      volumes: [$volumes]
YAML
}

# Applies the guests with these numbers at once, and returns when all have been heard. `since` and `applied` are when that
# began and when kubectl had done its part; $dir/first says how long it took.
start_guests() { # from to
  local i cpus
  for i in $(seq "$1" "$2"); do disks "$i"; done > "$dir/disks.yaml"
  kubectl apply -f "$dir/disks.yaml" > /dev/null || die "applying the disks"
  cpus=$(field node node-1 '{.status.allocatable.cpu}')
  for i in $(seq "$1" "$2"); do guest "$i" $((cpus * 1000 - 400)); done > "$dir/guests.yaml"
  [ -n "${witness_pid:-}" ] || { "$witness" watch "$dir/heard" "$dir"/nodes/*/consoles & witness_pid=$!; }
  since=$("$witness" now)
  kubectl apply -f "$dir/guests.yaml" > /dev/null || die "applying the guests"
  applied=$("$witness" now)
  timeout 120 "$witness" first "$dir/heard" --since "$since" --await $(($2 - $1 + 1)) > "$dir/first" ||
    die "not all guests are heard: $("$witness" first "$dir/heard" --since "$since" | head -n 1)"
}
