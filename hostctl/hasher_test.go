package hostctl

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// hashers are our processes that hash, with the groups that they are in.
func hashers(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	check(t, err)
	for _, name := range lines {
		pid := filepath.Base(filepath.Dir(name))
		if line, _ := os.ReadFile(name); strings.HasSuffix(string(line), "\x00sum\x00") && ours(pid) {
			groups, _ := os.ReadFile(filepath.Dir(name) + "/cgroup")
			found[pid] = string(groups)
		}
	}
	return found
}

// ours reports whether a process is of a session that this one has started.
func ours(pid string) bool {
	return stat(stat(pid)[3])[1] == strconv.Itoa(os.Getpid())
}

// stat is what the kernel says of a process after its name: state, parent, group, session.
func stat(pid string) []string {
	b, _ := os.ReadFile("/proc/" + pid + "/stat")
	return append(strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])), "", "", "", "")
}

// At the agent's own weight a file with holes took a core from the primary.
func TestALargeOutputIsHashedBehindThePrimary(t *testing.T) {
	w := newWorld(t)
	cfg := w.config("alpha")
	cfg.FileSize, cfg.Sum = -1, []string{"/proc/self/exe", "sum"}
	h := w.host(cfg)
	w.Submit("job", spec.Stage{Argv: sh(writeEndless)})
	id := h.assign("job", 0, 0, 0)
	eventually(t, "its output is hashed", func() bool { return len(hashers(t)) == 1 })
	if h.caps.Idle.OK() {
		for pid, groups := range hashers(t) {
			if !strings.Contains(groups, "/lull/"+h.cgroup()) {
				t.Errorf("process %s is in groups\n%s\nwant one of the agent's", pid, groups)
			}
			starter, err := os.ReadFile("/proc/" + stat(pid)[1] + "/cgroup")
			if err != nil || strings.Contains(string(starter), "/lull/"+h.cgroup()) {
				t.Errorf("groups of the process that started it: %v\n%s\nwant none of the agent's, or it waits there for CPU", err, starter)
			}
		}
	}
	w.Append(&subjects.Revoked{Host: "alpha", Job: "job", Attempt: id})
	if e, _ := next[*subjects.Evicted](w, nil); e.Attempt != id || e.Reason != subjects.ReasonRevoked {
		t.Errorf("Evicted = %+v, want attempt %d revoked", e, id)
	}
	if left := hashers(t); len(left) > 0 {
		t.Errorf("hashers left = %v, want none", left)
	}
}
