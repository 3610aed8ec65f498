# Every kind of storage that a disk can be on, besides lib.sh and nfs.sh: what to ask for, and where the bytes are. What is
# made belongs to the $batch.
storages="directory file device lun thin nfs thin-nfs"
slots=8192 # more records than any guest writes here, so that none is written over another

# The class `thin` has images that are qcow2, and a filesystem that takes some of them.
make_classes() {
  kubectl apply -f - > /dev/null <<YAML || die "the class thin"
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: thin, annotations: {godwit.io/filesystem-overhead: "0.06"}}
provisioner: directory.godwit.io
parameters: {format: qcow2}
volumeBindingMode: WaitForFirstConsumer
allowVolumeExpansion: true
YAML
}

has_qcow2() { [[ $1 == thin* ]]; } # storage

# A claim of that storage, as YAML. One that is told its node gets its volume before anybody uses it.
want() { # name storage [node] [MiB]
  local class mode=Filesystem mib=${4:-$disk_mib} at=""
  [ -z "${3:-}" ] || at="volume.kubernetes.io/selected-node: $3"
  case $2 in
    directory) class=local ;;
    file) class=local mode=Block ;;
    device) class=block mode=Block ;;
    lun) class=iscsi mode=Block ;;
    thin) class=thin mib=$((mib * 100 / 94 + 1)) ;;
    nfs | thin-nfs)
      local format=""
      ! has_qcow2 "$2" || format=qcow2
      mkdir -p "$dir/exports/$1" && qemu-img create -q -f "${format:-raw}" "$dir/exports/$1/disk.img" "${mib}M"
      disk_mib=$mib nfs_volume "$1" "$1" $format
      return
      ;;
  esac
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1, labels: {batch: ${batch:-none}}, annotations: {$at}}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: $class
  volumeMode: $mode
  resources: {requests: {storage: ${mib}Mi}}
YAML
}

instance() { # name claim, as YAML
  cat <<YAML
---
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: $1, labels: {batch: ${batch:-none}}}
spec:
  domain:
    devices: {disks: [{name: root, disk: {bus: virtio}, serial: S-$1}]}
    resources: {requests: {memory: 16Mi}}
  volumes: [{name: root, persistentVolumeClaim: {claimName: $2}}]
YAML
}

wish() { # name source destination mechanism, as YAML
  cat <<YAML
---
apiVersion: storage.kubevirt.io/v1alpha1
kind: VolumeMigration
metadata: {name: $1, labels: {batch: ${batch:-none}}}
spec: {mechanism: $4, migratedVolume: [{sourceClaim: $2, destinationClaim: $3}]}
YAML
}

# Waits until so many of the batch are in a phase, or one has failed.
await_all() { # kind phase seconds how-many
  local name phase pid
  declare -A there=()
  exec 8< <(exec timeout "$3" kubectl get "$1" -l "batch=${batch:-none}" -w -o 'jsonpath={.metadata.name} {.status.phase}{"\n"}' 2> /dev/null)
  pid=$!
  while [ ${#there[@]} -lt "$4" ] && read -r name phase <&8 && [ "$phase" != Failed ]; do
    if [ "$phase" = "$2" ]; then there[$name]=yes; else unset "there[$name]"; fi
  done
  kill "$pid" 2> /dev/null
  exec 8<&-
  [ ${#there[@]} -ge "$4" ]
}

# Looks once where all volumes are: $dir/volumes has "claim volume path" in each line.
look_up_volumes() {
  kubectl get pv -o 'jsonpath={range .items[*]}{.spec.claimRef.name} {.metadata.name} {.spec.local.path}{.spec.hostPath.path}{.spec.nfs.path}{"\n"}{end}' > "$dir/volumes"
}

# The file that the volume's bytes are in, whatever shows them to guests.
file_of() { # claim
  local volume path
  read -r _ volume path < <(grep "^$1 " "$dir/volumes")
  case $path in
    '') say "$dir/luns/$volume/disk.img" ;;
    */device) say "$(dirname "$path")/backing.img" ;;
    */disk.img) say "$path" ;;
    *) say "$path/disk.img" ;;
  esac
}

is_thin() { [ "$(head -c 3 "$1")" = QFI ]; } # file

# A raw image's bytes on a volume that nobody has used yet.
fill() { # claim storage image
  local file
  file=$(file_of "$1")
  mkdir -p "$(dirname "$file")"
  if has_qcow2 "$2"; then qemu-img convert -f raw -O qcow2 "$3" "$file"; else cp --sparse=always "$3" "$file"; fi || die "filling $file"
}

# The same of the test guest, and some bytes behind its records.
install_on() { fill "$1" "$2" "$dir/golden.img"; } # claim storage
make_golden() {
  "$witness" install "$dir/golden.img" $disk_mib --slots $slots --pace 10 || die "making the guest"
  dd if=/dev/urandom of="$dir/golden.img" bs=1M seek=$((disk_mib / 2)) count=3 conv=notrunc status=none
}

# The volume's bytes as a guest sees them, in a file that can be read.
raw_of() { # claim
  local file
  file=$(file_of "$1")
  is_thin "$file" || { say "$file"; return; }
  qemu-img convert -U -f qcow2 -O raw "$file" "$dir/raw-$1" && say "$dir/raw-$1"
}

# What a guest has written to an image that is thin may be known to its QEMU alone.
flush() { # guest node
  local block
  block=$(libvirt "$2" qemu-monitor-command "default_$1" '{"execute":"query-named-block-nodes","arguments":{"flat":true}}' | grep -o 'libvirt-[0-9]*-format' | sort -u)
  for block in $block; do libvirt "$2" qemu-monitor-command "default_$1" --hmp "qemu-io $block flush" > /dev/null; done
}

heard() { printf '%d' "0x$(grep "default_$1.log H " "$dir/heard" | tail -n 1 | awk '{print $4}')"; } # guest

# All records that were heard of are there.
check_records() { # guest claim
  local last raw
  last=$(heard "$1")
  [ -z "${3:-}" ] || flush "$1" "$3"
  raw=$(raw_of "$2")
  "$witness" verify "$raw" --at-least "$last" > "$dir/verdict-$1" || die "records of $1 are missing on $2, $last were heard: $(cat "$dir/verdict-$1")"
}

# What was left is, but for records that are newer, what was gone to: they were equal at the switch-over.
check_equal() { # guest, claim that it left, claim that it has
  local left has last first=64
  left=$(raw_of "$2") has=$(raw_of "$3")
  "$witness" verify "$left" > "$dir/verdict-$1" || die "records of $1 are bad on $2: $(cat "$dir/verdict-$1")"
  last=$(sed -n 's/^last //p' "$dir/verdict-$1")
  [ "$last" -gt 0 ] && [ "$last" -lt $slots ] || die "$1 has written $last records"
  { cmp -l "$left" "$has" 2> "$dir/ends-$1" || true; } | awk -v from=$(((first + last + 1) * 512)) -v to=$(((first + slots) * 512)) '
    $1 <= from || $1 > to { print $1; exit 1 }' > "$dir/differs-$1" ||
    die "$2 and $3 differ at byte $(cat "$dir/differs-$1"), the last record on $2 being $last"
  [ ! -s "$dir/ends-$1" ] || die "$2 and $3 have different sizes: $(cat "$dir/ends-$1")"
}

# What takes no room where it comes from takes none where it goes to.
check_sparse() { # claim that was left, claim that is used
  local was is
  was=$(du -k "$(file_of "$1")" | cut -f1) is=$(du -k "$(file_of "$2")" | cut -f1)
  [ "$is" -le $((was * 105 / 100 + 2048)) ] || die "$is KiB of $2 are taken, where $was of $1 were"
}
