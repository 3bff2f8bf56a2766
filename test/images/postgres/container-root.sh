# What a kubelet does before a container of an instance starts: its root, from this machine's Debian and the image's programs.
# Arguments: the folder of the root, the image's programs, then `from:to:mode` for each mount.
set -e
root=$1 programs=$2
shift 2
cd "$root"
mkdir -p usr proc dev etc tmp run var
ln -s usr/bin usr/sbin usr/lib usr/lib64 .
mount --rbind /usr usr
mount --bind "$programs" usr/local/bin
mount --rbind /proc proc
for device in null zero full random urandom; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/shm
chmod 1777 dev/shm tmp
install --mode=666 /dev/null dev/termination-log
for each; do
  to=$(echo "$each" | cut -d: -f2)
  [ -e ".$to" ] || mkdir -p ".$to"
  mount --bind "$(echo "$each" | cut -d: -f1)" ".$to"
  mount -o "remount,bind,$(echo "$each" | cut -d: -f3)" ".$to"
done
# Whoever enters before it has its root would be in this machine's.
exec chroot . sh -c 'echo ready; exec cat'
