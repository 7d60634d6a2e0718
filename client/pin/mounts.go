package pin

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// mount is a mounted file system, see proc_pid_mountinfo(5).
type mount struct {
	device  string // major:minor
	point   string
	kind    string // nfs4, ext4, fuse.sshfs
	mounted string // server:/export, /dev/sda1
}

// parseMounts reads a mountinfo file. What is no mount is passed over.
func parseMounts(r io.Reader) ([]mount, error) {
	var mounts []mount
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		left, right, ok := strings.Cut(lines.Text(), " - ")
		l, r := strings.Fields(left), strings.Fields(right)
		if ok && len(l) >= 5 && len(r) >= 2 {
			mounts = append(mounts, mount{l[2], unescapeOctal(l[4]), r[0], unescapeOctal(r[1])})
		}
	}
	return mounts, lines.Err()
}

// unescapeOctal undoes mountinfo's octal escapes of space, tab, newline and backslash.
var unescapeOctal = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace

// mounts returns the mounts of this process.
func mounts(root string) ([]mount, error) {
	f, err := os.Open(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	found, err := parseMounts(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return found, nil
}

// mountOf returns the mount that a file lies on. It compares the number of its device, or its path where
// the file system hides the number, as btrfs does. Of several mounts over each other the last one
// counts.
func mountOf(mounts []mount, device uint64, path string) (mount, bool) {
	want := fmt.Sprintf("%d:%d", major(device), minor(device))
	for _, m := range mounts {
		if m.device == want {
			return m, true
		}
	}
	return mountAbove(mounts, path)
}

func mountAbove(mounts []mount, path string) (best mount, ok bool) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	for _, m := range mounts {
		rest, below := strings.CutPrefix(path, strings.TrimSuffix(m.point, "/"))
		if below && (rest == "" || rest[0] == '/') && len(m.point) >= len(best.point) {
			best, ok = m, true
		}
	}
	return best, ok
}
