# For scripts whose nodes are hosts, on networks that can be listened to and cut.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

marker=this-is-what-nobody-else-shall-read
marked_mib=16

image() { # of the claim that the VMI uses now
  local volume path
  volume=$(field pvc "$(field vmi guest '{.spec.volumes[0].persistentVolumeClaim.claimName}')" '{.spec.volumeName}')
  path=$(field pv "$volume" '{.spec.local.path}')
  say "${path:-$dir/luns/$volume}/disk.img"
}

# The VM "guest": its disk is a LUN that has, behind the records, a text all over.
start_guest_on_lun() {
  local file
  claim disk-0 iscsi > /dev/null
  await pvc disk-0 Bound > /dev/null || die "the claim is not bound: $(field pvc disk-0 '{.status.conditions}')"
  file=$dir/luns/$(field pvc disk-0 '{.spec.volumeName}')/disk.img
  mkdir -p "$(dirname "$file")"
  "$witness" install "$file" "$disk_mib" --memory-pages 2048 || die "installing the guest"
  yes "$marker" | dd of="$file" bs=1M seek=$((disk_mib - marked_mib)) count=$marked_mib iflag=fullblock conv=notrunc status=none
  "$witness" watch "$dir/heard" "$dir"/nodes/*/consoles &
  kubectl apply -f - > /dev/null <<YAML || die "applying the VM"
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: guest}
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        devices:
          disks: [{name: root, disk: {bus: virtio}}]
        resources: {requests: {memory: 16Mi}}
      volumes: [{name: root, persistentVolumeClaim: {claimName: disk-0}}]
YAML
  await vmi guest Running > /dev/null || die "the guest does not start: $(field vmi guest '{.status.conditions[*].message}')"
  await_heartbeat
}

cluster() { # how guests move
  kubectl apply -f - > /dev/null <<YAML || die "configuring the cluster"
apiVersion: kubevirt.io/v1
kind: KubeVirt
metadata: {name: kubevirt}
spec: {configuration: {migrations: $1}}
YAML
}

# The machine's end of what connects a node to a network, which are counted from 0.
plug() { ip -o link show | sed -n "s/^[0-9]*: \([^@]*n${1#node-}\.$2\)@.*/\1/p"; } # node network

# Listens to the guest's node on the network for migrations.
overhear() {
  exec 7< <(exec "$top/tests/e2e/eavesdrop" "$(plug "$(node)" 1)" "$marker")
  ear=$!
  read -r _ <&7
}
# Says in $overheard what the ear says in the end, and in $passed how many bytes it has heard.
hear_out() {
  kill "$ear"
  read -r overheard <&7
  exec 7<&-
  passed=${overheard##* }
}
