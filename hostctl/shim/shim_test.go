package shim

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRunsTask(t *testing.T) {
	cfg := testConfig(t)
	c := launch(t, cfg)
	out := filepath.Join(cfg.Dir, "stdout")
	e := run(t, c, Task{
		Attempt: 7, Argv: []string{"sh", "-c", `echo "$A in $PWD" && exit 3`},
		Env: []string{"A=b", "PATH=/usr/bin:/bin"}, Dir: "/usr", Stdout: out,
	})
	if e.Status != 3 || e.Reason != "exit" || e.Attempt != 7 || e.Out != 10 {
		t.Errorf("got %+v, want status 3 of attempt 7 and 10 bytes of output", e)
	}
	if b, err := os.ReadFile(out); string(b) != "b in /usr\n" {
		t.Errorf("stdout: %q, %v", b, err)
	}
}
