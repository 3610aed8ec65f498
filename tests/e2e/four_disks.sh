# A VM "guest" with four disks that writes every record to all of them, and where they are. To be read after lib.sh.
here_classes="shared shared iscsi block"
there_classes="local iscsi block local"
numbers="0 1 2 3"

four_claims() { # class...; each is put on the node that the guest will be on, and the guest on each
  local number=0 class
  for class; do
    kubectl apply -f - > /dev/null <<YAML || die "claim disk-$number"
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: disk-$number, annotations: {volume.kubernetes.io/selected-node: node-1}}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: $class
  resources: {requests: {storage: ${disk_mib}Mi}}
YAML
    await pvc "disk-$number" Bound > /dev/null || die "claim disk-$number: $(field pvc "disk-$number" '{.status}')"
    mkdir -p "$(dirname "$(bytes_of "disk-$number")")"
    "$witness" install "$(bytes_of "disk-$number")" "$disk_mib" --disks 4 || die "installing on disk-$number"
    [ -z "${FILL_MIB:-}" ] || dd if=/dev/urandom of="$(bytes_of "disk-$number")" bs=1M seek=2 count="$FILL_MIB" conv=notrunc status=none
    number=$((number + 1))
  done
}

start_four() { # class...
  "$witness" watch "$dir/heard" "$dir"/nodes/*/consoles &
  four_claims "$@"
  local number volumes=()
  for number in $numbers; do volumes+=("d$number" "persistentVolumeClaim: {claimName: disk-$number}"); done
  make_vm guest 16Mi "${volumes[@]}"
  await vmi guest Running > /dev/null || die "the guest does not start: $(field vmi guest '{.status.conditions[*].message}')"
  await_heartbeat
}

claims_of() { field "$1" guest "{$2[*].persistentVolumeClaim.claimName}"; } # kind, path of its volumes
claims() { claims_of vmi .spec.volumes; }
volume_of() { field pvc "$1" '{.spec.volumeName}'; } # claim

# Where a claim's disk is, as libvirt calls it.
source_of() { # claim
  local volume path
  volume=$(volume_of "$1")
  path=$(field pv "$volume" '{.spec.local.path}{.spec.hostPath.path}{.spec.nfs.path}')
  case $path in
    '') say "$(field pv "$volume" '{.spec.iscsi.iqn}/{.spec.iscsi.lun}')" ;;
    */device | */disk.img) say "$path" ;;
    *) say "$path/disk.img" ;;
  esac
}
# The same, as this script can look at it; of a device that its node has not prepared yet, what will be behind it.
bytes_of() { # claim
  local path
  path=$(source_of "$1")
  case $path in
    iqn.*) lun_image "$1" ;;
    */device) if [ -b "$path" ]; then say "$path"; else say "$(dirname "$path")/backing.img"; fi ;;
    *) say "$path" ;;
  esac
}

# The guest, its VMI and its VM have all four disks on these claims, and every record is there.
check_disks() { # claims
  local claim last found wanted
  [ "$(claims)" = "$*" ] || die "the VMI uses $(claims), not $*"
  [ "$(claims_of vm .spec.template.spec.volumes)" = "$*" ] || die "the VM has $(claims_of vm .spec.template.spec.volumes), not $*"
  await_heartbeat
  last=$(last_record)
  ! libvirt "$(node)" dumpxml default_guest | grep '<mirror' || die "something is still being copied"
  found=$(libvirt "$(node)" domblklist default_guest | awk '{print $2}')
  wanted=$(for claim; do source_of "$claim"; done)
  [ "$found" = "$wanted" ] || die "the guest has its disks at $found, not at $wanted"
  for claim; do
    "$witness" verify "$(bytes_of "$claim")" --at-least "$last" > "$dir/verdict" || die "records are missing on $claim: $(cat "$dir/verdict")"
  done
  check_one_copy
  [ "$("$witness" outage "$dir/heard" | sed -n 's/^errors //p')" = 0 ] || die "the guest could not write"
}
