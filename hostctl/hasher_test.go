package hostctl

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// hashers are our processes that hash, with the groups that they are in.
func hashers(t *testing.T) map[int]string {
	t.Helper()
	found := map[int]string{}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	check(t, err)
	for _, name := range lines {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		line, _ := os.ReadFile(name)
		if stat, _ := os.ReadFile(filepath.Dir(name) + "/stat"); !strings.HasSuffix(string(line), "\x00sum\x00") || !ours(string(stat)) {
			continue
		}
		groups, _ := os.ReadFile(filepath.Dir(name) + "/cgroup")
		found[pid] = string(groups)
	}
	return found
}

// ours reports whether a process is a child of this one.
func ours(stat string) bool {
	_, rest, _ := strings.Cut(stat, ") ")
	fields := strings.Fields(rest)
	return len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid())
}

// At the agent's own weight a file with holes took a core from the primary.
func TestALargeOutputIsHashedBehindThePrimary(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.FileSize, cfg.Sum = -1, []string{"/proc/self/exe", "sum"}
	h := w.host(cfg)
	w.submit("job", spec.Stage{Argv: sh("truncate -s 1T $LULL_OUT/x")})
	id := h.assign("job", 0, 0, 0)
	eventually(t, "its output is hashed", func() bool { return len(hashers(t)) == 1 })
	if h.caps.Idle.OK() {
		for pid, groups := range hashers(t) {
			if !strings.Contains(groups, "/lull/"+h.cgroup()) {
				t.Errorf("process %d is in none of the agent's groups:\n%s", pid, groups)
			}
		}
	}
	w.append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: id})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != id || e.Reason != subjects.ReasonRevoked {
		t.Errorf("%+v, want attempt %d revoked", e, id)
	}
	if left := hashers(t); len(left) > 0 {
		t.Errorf("still at it: %v", left)
	}
}
