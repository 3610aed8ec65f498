# An NFS server of the test's own, besides lib.sh: ganesha, on this machine, for as long as the test. To be sourced before begin.
mount -t tmpfs tmpfs /run && mkdir -p /run/rpcbind /run/ganesha || exit 1

# Guests find it through the port mapper.
start_nfs_server() { # directories to export
  local name
  mkdir -p "$dir/exports"
  for name in "$@"; do mkdir "$dir/exports/$name"; done
  cat > "$dir/ganesha.conf" <<CONF
NFS_CORE_PARAM { Protocols = 3; mount_path_pseudo = false; Enable_NLM = false; Enable_RQUOTA = false; }
EXPORT {
  Export_Id = 1; Path = $dir/exports; Pseudo = /exports; Access_Type = RW; Squash = No_Root_Squash; SecType = sys;
  Protocols = 3; Transports = TCP; FSAL { Name = VFS; }
}
CONF
  rpcbind -f > "$dir/log/rpcbind.log" 2>&1 &
  timeout 10 bash -c "until rpcinfo -p 127.0.0.1; do sleep 0.1; done" > /dev/null 2>&1
  ganesha.nfsd -F -f "$dir/ganesha.conf" -L "$dir/log/ganesha.log" -p /run/ganesha.pid &
  timeout 30 bash -c "until rpcinfo -t 127.0.0.1 nfs 3; do sleep 0.1; done" > /dev/null 2>&1 || die "no NFS server"
}

nfs_volume() { # directory, claim, format that it says its image has
  cat <<YAML
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: $1, annotations: {${3:+godwit.io/format: $3}}}
spec:
  capacity: {storage: ${disk_mib}Mi}
  accessModes: [ReadWriteMany]
  nfs: {server: 127.0.0.1, path: $dir/exports/$1}
  claimRef: {namespace: default, name: $2}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $2, labels: {batch: ${batch:-none}}}
spec:
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: ${disk_mib}Mi}}
YAML
}
