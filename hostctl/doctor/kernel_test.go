package doctor

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine makes files below a folder that stands for "/".
func machine(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range files {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPreemption(t *testing.T) {
	const version, cmdline, boot = "proc/sys/kernel/version", "proc/cmdline", "proc/config.gz"
	none := packed(t, "CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_NONE=y\nCONFIG_PREEMPT_COUNT=y\n# CONFIG_PREEMPT is not set\n")
	for _, c := range []struct {
		want  string
		files map[string]string
	}{
		{"", nil},
		{"voluntary", map[string]string{"sys/kernel/debug/sched/preempt": "none (voluntary) full lazy\n", version: "#1 SMP PREEMPT_DYNAMIC"}},
		{"none", map[string]string{version: "#1 SMP PREEMPT_DYNAMIC @0\n", cmdline: "quiet\n", boot: none}},
		{"full", map[string]string{version: "#1 SMP PREEMPT_DYNAMIC @0\n", cmdline: "quiet preempt=full ro\n", boot: none}},
		{"full", map[string]string{version: "#9 SMP PREEMPT_DYNAMIC", boot: packed(t, "CONFIG_PREEMPT=y\n")}},
		{"lazy", map[string]string{version: "#9 SMP PREEMPT_DYNAMIC", "proc/sys/kernel/osrelease": "6.1\n", "boot/config-6.1": "CONFIG_PREEMPT_LAZY=y\n"}},
		{"", map[string]string{version: "#9 SMP PREEMPT_DYNAMIC", boot: "not packed"}},
		{"", map[string]string{version: "#9 SMP PREEMPT_DYNAMIC"}},
		{"rt", map[string]string{version: "#2 SMP PREEMPT_RT"}},
		{"full", map[string]string{version: "#2 SMP PREEMPT"}},
		{"none or voluntary", map[string]string{version: "#2 SMP Fri"}},
	} {
		if got := preemption(machine(t, c.files)); got != c.want {
			t.Errorf("%v: %q, want %q", c.files, got, c.want)
		}
	}
	if f := preemptionFact("none"); f.Good || !strings.Contains(f.Text, "preempt=full") {
		t.Errorf("preemptionFact(none) = %+v, want it bad with advice", f)
	}
	if f := preemptionFact("full"); !f.Good {
		t.Errorf("preemptionFact(full) = %+v, want it good", f)
	}
}

func TestHardwareThreads(t *testing.T) {
	const first, second = "sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "sys/devices/system/cpu/cpu1/topology/thread_siblings_list"
	for _, c := range []struct {
		good  bool
		says  string
		files map[string]string
	}{
		{false, "no topology", nil},
		{false, "(0,4 are one)", map[string]string{first: "0,4\n", second: "1,5\n"}},
		{false, "(0-1 are one)", map[string]string{first: "0-1\n"}},
		{true, "has one hardware", map[string]string{first: "0\n", second: "1\n"}},
		{true, "virtual machine", map[string]string{first: "0\n", "proc/cpuinfo": "flags : fpu hypervisor lm\n"}},
	} {
		if f := siblingsFact(machine(t, c.files)); f.Good != c.good || !strings.Contains(f.Text, c.says) {
			t.Errorf("%v: %+v, want %q", c.files, f, c.says)
		}
	}
}
