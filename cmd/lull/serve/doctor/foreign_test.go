package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/cmd/lull/serve/service"
	"lull/hostctl/guarding"
)

func TestDoctorTellsOfForeignWrites(t *testing.T) {
	data := t.TempDir()
	if checks := checkForeignWrites(data); len(checks) != 0 {
		t.Errorf("checks without a record = %+v, want none", checks)
	}
	pool := filepath.Join(service.AgentFolder(data), "default")
	if err := os.MkdirAll(pool, 0o700); err != nil {
		t.Fatal(err)
	}
	const record = `{"count":12,"last":{"file":"/sys/fs/cgroup/cpu/lull/a/slot-3/cpu.shares","found":"1024","restored":"512"},"at":"2026-11-28T10:00:00Z"}`
	if err := os.WriteFile(filepath.Join(pool, guarding.RecordName), []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	checks := checkForeignWrites(data)
	if len(checks) != 1 || checks[0].OK {
		t.Fatalf("checks = %+v, want one that is not OK", checks)
	}
	for _, want := range []string{"12 values", "slot-3/cpu.shares (1024, put back to 512)", "2026-11-28 10:00:00"} {
		if !strings.Contains(checks[0].Text, want) {
			t.Errorf("check = %q, want it to say %q", checks[0].Text, want)
		}
	}
}
