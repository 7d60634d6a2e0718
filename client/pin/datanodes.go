package pin

import (
	"io/fs"
	"maps"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"lull/subjects/spec"
)

// nodes finds the data nodes behind files while these are pinned. It keeps one file per device, so a million
// files take a million lookups in a small map.
type nodes struct {
	devices map[uint64]string // a path on each
	hosts   map[string]bool   // of URLs
}

func (n *nodes) addFile(path string, info fs.FileInfo) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	if n.devices == nil {
		n.devices = map[uint64]string{}
	}
	if _, seen := n.devices[stat.Dev]; !seen {
		n.devices[stat.Dev] = path
	}
}

func (n *nodes) addURL(u *url.URL) {
	if n.hosts == nil {
		n.hosts = map[string]bool{}
	}
	n.hosts[u.Host] = true
}

// names lists the data nodes, sorted; none if there are more than a stage may
// have, since no single one is the bottleneck then. root is the prefix of /proc
// and /sys, host the name of this machine. Where /proc cannot be read, the data
// nodes of files are unknown, which is no reason to refuse a job.
func (n *nodes) names(root, host string) []string {
	found := map[string]bool{}
	for h := range n.hosts {
		found[dataNodeName("url", h)] = true
	}
	if len(n.devices) > 0 {
		mounts, _ := mounts(root)
		for device, path := range n.devices {
			if m, ok := mountOf(mounts, device, path); ok {
				found[m.node(root, host)] = true
			}
		}
	}
	delete(found, "")
	if len(found) > spec.MaxSources {
		return nil
	}
	return slices.Sorted(maps.Keys(found))
}

func major(device uint64) uint32 { return unix.Major(device) }
func minor(device uint64) uint32 { return unix.Minor(device) }

// node names what a mount reads from, "" for memory.
func (m mount) node(root, host string) string {
	kind := strings.TrimPrefix(m.kind, "fuse.")
	if name, ok := networkKinds[kind]; ok {
		return dataNodeName(name, server(m.mounted))
	}
	switch {
	case memoryKinds[kind]:
		return ""
	case kind != m.kind: // some other fuse.…
		return dataNodeName(kind, server(m.mounted))
	}
	return dataNodeName("disk", host+":"+m.disk(root))
}

// networkKinds are the file systems of the network, by what their nodes are called.
var networkKinds = map[string]string{
	"nfs": "nfs", "nfs4": "nfs", "cifs": "cifs", "smb3": "cifs", "ceph": "ceph", "lustre": "lustre", "9p": "9p",
	"afs": "afs", "beegfs": "beegfs", "gpfs": "gpfs", "glusterfs": "glusterfs", "sshfs": "sshfs", "virtiofs": "virtiofs",
}

// memoryKinds are file systems that no device is behind.
var memoryKinds = map[string]bool{"tmpfs": true, "ramfs": true, "proc": true, "sysfs": true, "hugetlbfs": true}

// server returns the machine in server:/export, [server]:/export, //server/share, user@server:/path and
// one,two:/path. Of several machines it is the first; a name without a path is returned whole.
func server(mounted string) string {
	if share, ok := strings.CutPrefix(mounted, "//"); ok {
		name, _, _ := strings.Cut(share, "/")
		return name
	}
	if at := strings.Index(mounted, ":/"); at >= 0 {
		mounted = mounted[:at]
	}
	mounted, _, _ = strings.Cut(mounted, ",")
	if _, name, ok := strings.Cut(mounted, "@"); ok && !strings.Contains(name, "tcp") && !strings.Contains(name, "o2ib") {
		mounted = name // of a user; what follows the @ of Lustre is a network
	}
	return strings.Trim(strings.TrimSuffix(mounted, ":"), "[]")
}

// disk returns the device behind a local mount, or the whole disk if the device is a partition.
func (m mount) disk(root string) string {
	entry := filepath.Join(root, "sys/dev/block", m.device)
	if _, err := os.Stat(filepath.Join(entry, "partition")); err == nil {
		if link, err := os.Readlink(entry); err == nil {
			return filepath.Base(filepath.Dir(link))
		}
	}
	return filepath.Base(m.mounted)
}

// dataNodeName returns the name of a data node. It replaces characters that such a name may not have.
func dataNodeName(kind, name string) string {
	if host, port, err := net.SplitHostPort(name); err == nil && (port == "80" || port == "443") {
		name = host
	}
	fit := strings.Map(func(r rune) rune {
		if spec.DataNodeName(string(r)) {
			return r
		}
		return '_'
	}, kind+":"+name)
	return fit[:min(len(fit), 128)]
}
