package pin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const mountinfo = `22 1 8:2 / / rw,relatime - ext4 /dev/sda2 rw
23 22 0:21 / /proc rw - proc proc rw
30 22 0:40 / /data rw,relatime shared:1 - nfs4 filer1:/export/a rw,vers=4.2
31 22 0:41 / /data/more rw - nfs filer1:/export/b rw
32 22 0:42 / /share rw - cifs //Filer-2/jobs rw
33 22 0:43 / /my\040home rw - fuse.sshfs ann@host9:/home rw
34 22 0:44 / /lustre rw - lustre 10.0.0.1@tcp:10.0.0.2@tcp:/scratch rw
35 22 0:45 / /ceph rw - ceph 10.0.0.7:6789,10.0.0.8:6789:/ rw
36 22 0:46 / /tmp rw - tmpfs tmpfs rw
37 22 253:0 / /var rw - xfs /dev/mapper/vg-var rw
38 22 0:47 /sub /btr rw - btrfs /dev/nvme0n1p3 rw
39 22 0:48 / /nine rw - 9p hostshare rw
40 22 0:49 / /six rw - nfs4 [fd00::1]:/x rw
41 22 0:50 / /bucket rw - fuse.s3fs s3fs rw
not a mount
`

// machine is a root with a mountinfo and a partition's entry in /sys.
func machine(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	disk := filepath.Join(root, "sys/devices/pci/block/sda/sda2")
	for _, dir := range []string{"proc/self", "sys/dev/block"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(disk, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../devices/pci/block/sda/sda2", filepath.Join(root, "sys/dev/block/8:2")); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(disk, "partition"): "2\n", filepath.Join(root, "proc/self/mountinfo"): mountinfo} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestDataNodesAreFoundByMount(t *testing.T) {
	root := machine(t)
	all, err := mounts(root)
	if err != nil || len(all) != 14 {
		t.Fatalf("mounts() = %d, %v, want 14", len(all), err)
	}
	for path, want := range map[string]string{
		"/etc/hosts":     "disk:h:sda",
		"/data/x":        "nfs:filer1",
		"/data/more/x":   "nfs:filer1",
		"/database":      "disk:h:sda",
		"/share/x":       "cifs:Filer-2",
		"/my home/x":     "sshfs:host9",
		"/lustre/x":      "lustre:10.0.0.1@tcp:10.0.0.2@tcp",
		"/ceph/x":        "ceph:10.0.0.7:6789",
		"/tmp/x":         "",
		"/var/lib/x":     "disk:h:vg-var",
		"/btr/deep/er/x": "disk:h:nvme0n1p3",
		"/nine/x":        "9p:hostshare",
		"/six/x":         "nfs:fd00::1",
		"/bucket/x":      "s3fs:s3fs",
	} {
		m, ok := mountAbove(all, path)
		if got := m.node(root, "h"); !ok || got != want {
			t.Errorf("%s reads from %q, want %q", path, got, want)
		}
	}
}

// Where a number of a device stands in mountinfo, it decides: a path may lead
// anywhere.
func TestDataNodesAreFoundByDevice(t *testing.T) {
	root := machine(t)
	n := nodes{devices: map[uint64]string{8<<8 | 2: "/data/x", 253 << 8: "/data/y", 77<<8 | 77: "/share/z"}}
	n.hosts = map[string]bool{"data.example:443": true, "data.example:8080": true}
	want := []string{"cifs:Filer-2", "disk:h:sda", "disk:h:vg-var", "url:data.example", "url:data.example:8080"}
	if got := n.names(root, "h"); !slices.Equal(got, want) {
		t.Errorf("names(h) = %q, want %q", got, want)
	}
	if got := n.names(t.TempDir(), "h"); len(got) != 2 {
		t.Errorf("names without /proc = %q, want two", got)
	}
}

func TestTooManyDataNodesAreNone(t *testing.T) {
	n := nodes{hosts: map[string]bool{}}
	for i := range 65 {
		n.hosts[fmt.Sprint("host-", i)] = true
	}
	if got := n.names("/", "h"); got != nil {
		t.Errorf("names = %d, want none", len(got))
	}
}

func TestRealFilesHaveADataNodeOrLieInMemory(t *testing.T) {
	folder := tree(t, "a.txt", "b.txt")
	in, err := Files(t.Context(), folder, []string{"*.txt"})
	if err != nil {
		t.Fatal(err)
	}
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		t.Fatal(err)
	}
	const tmpfs = 0x01021994
	got := in.DataNodes("/", "h")
	if stat.Type == tmpfs && len(got) != 0 || stat.Type != tmpfs && (len(got) != 1 || !strings.Contains(got[0], ":")) {
		t.Errorf("DataNodes on a file system of type %x = %q, want one host:path, or none on tmpfs", stat.Type, got)
	}
}
