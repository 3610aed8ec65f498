# For scripts whose nodes are hosts, on networks that can be listened to and cut.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

marker=this-is-what-nobody-else-shall-read
marked_mib=16

# The VM "guest": its disk is a LUN that has, behind the records, a text all over.
GUEST_OPTIONS='--memory-pages 2048'
start_marked_guest() {
  claim disk-0 iscsi > /dev/null
  await pvc disk-0 Bound > /dev/null || die "the claim is not bound: $(field pvc disk-0 '{.status.conditions}')"
  install_on_lun disk-0
  yes "$marker" | dd of="$(lun_image disk-0)" bs=1M seek=$((disk_mib - marked_mib)) count=$marked_mib iflag=fullblock conv=notrunc status=none
  "$witness" watch "$dir/heard" "$dir"/nodes/*/consoles &
  boot_guest > /dev/null
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
