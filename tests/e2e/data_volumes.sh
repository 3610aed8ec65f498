# What the tests of DataVolumes share, besides lib.sh. Images lie in $site; the small one is 4 MiB, for volumes of 8.

make_small_images() {
  head -c 3000000 /dev/urandom > "$site/small.raw"
  truncate -s 4M "$site/small.raw"
  gzip -1 -k "$site/small.raw"
  xz -0 -k "$site/small.raw"
  qemu-img convert -q -f raw -O qcow2 "$site/small.raw" "$site/small.qcow2"
  gzip -1 -k "$site/small.qcow2"
}

# A container image for two kinds of machine in the registry that the server of images is: a layer with an image in
# the folder disk, and one below it that has another there.
make_container_image() { # name image
  local home=$site/v2/$1 work=$site/layers layer layers='' digest
  mkdir -p "$home/manifests" "$home/blobs" "$work"/{lower,upper}/disk
  say "of the past" > "$work/lower/disk/old.img"
  ln "$2" "$work/upper/disk/new.img"
  for layer in lower upper; do
    tar -C "$work/$layer" -czf "$work/layer" . && digest=$(sha256sum < "$work/layer" | cut -d' ' -f1)
    layers+="${layers:+,}{\"mediaType\":\"application/vnd.oci.image.layer.v1.tar+gzip\",\"digest\":\"sha256:$digest\",\"size\":$(stat -c %s "$work/layer")}"
    mv "$work/layer" "$home/blobs/sha256:$digest"
  done
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","layers":[%s]}' "$layers" > "$work/manifest"
  digest=sha256:$(sha256sum < "$work/manifest" | cut -d' ' -f1)
  mv "$work/manifest" "$home/manifests/$digest"
  printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"digest":"sha256:%064d","platform":{"os":"linux","architecture":"arm64"}},{"digest":"%s","platform":{"os":"linux","architecture":"amd64"}}]}' \
    0 "$digest" > "$home/manifests/latest"
  rm -r "$work"
}

volume() { # name class MiB source [annotation]
  kubectl apply -f - <<YAML > /dev/null || die "DataVolume $1"
apiVersion: cdi.kubevirt.io/v1beta1
kind: DataVolume
metadata: {name: $1, annotations: {${5:-}}}
spec:
  source: $4
  storage:
    storageClassName: $2
    resources: {requests: {storage: ${3}Mi}}
YAML
}

vm() { make_vm "$1" "${3}Mi" root "dataVolume: {name: $2}"; } # name DataVolume MiB

directory_of() { # claim
  field pv "$(field pvc "$1" '{.spec.volumeName}')" '{.spec.local.path}{.spec.hostPath.path}'
}

running() { field dv "$1" "{.status.conditions[?(@.type==\"Running\")].$2}"; } # DataVolume field

succeeds() { # name
  await dv "$1" Succeeded 90 > /dev/null || die "$1: $(field dv "$1" '{.status}')"
}

# Filled with what the small image has, and zeros behind it; and nothing else is in the directory.
check_small() { # name
  succeeds "$1"
  local place
  place=$(directory_of "$1")
  cmp -n 4194304 "$site/small.raw" "$place/disk.img" || die "$1 has other bytes"
  [ "$(stat -c %s "$place/disk.img")" = 8388608 ] || die "$1 has not the volume's size"
  [ "$(ls "$place")" = disk.img ] || die "$1 has left something: $(ls "$place")"
}

# The same where the volume is no file of its own.
check_small_device() { # DataVolume of class block
  succeeds "$1"
  cmp -n 4194304 "$site/small.raw" "$(dirname "$(directory_of "$1")")/backing.img" || die "the device has other bytes"
}
check_small_lun() { # DataVolume of class iscsi
  succeeds "$1"
  cmp -n 4194304 "$site/small.raw" "$dir/luns/$(field pvc "$1" '{.spec.volumeName}')/disk.img" || die "the LUN has other bytes"
}

pod_of() { # DataVolume [field]
  kubectl get pods -l kubevirt.io=importer -o "jsonpath={.items[?(@.metadata.ownerReferences[0].name==\"$1\")].metadata.${2:-name}}"
}

importer_of() { # DataVolume
  local uid
  uid=$(pod_of "$1" uid)
  [ -n "$uid" ] && pgrep -f "^$godwit importer --directory $dir/nodes/[^/]*/.*/$uid\$"
}

agents() { pgrep -f "^$godwit node .*--directory $dir/"; }

# Waits until a directory of a volume is gone.
await_no_directory() { # path
  for _ in $(seq 100); do [ -e "$1" ] || return 0; first_line 1 never kubectl get pv -w; done
  die "left behind: $(ls -la "$1")"
}
