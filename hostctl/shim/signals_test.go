package shim

import (
	"slices"
	"strings"
	"testing"
)

// However the agent was started, a task starts with no signal ignored and none blocked.
func TestTasksInheritNoSignals(t *testing.T) {
	cfg := testConfig(t)
	cfg.Command = slices.Insert(cfg.Command, 1, "--ignore-signal=HUP,INT,TERM,TSTP,TTIN,TTOU,USR1,CHLD", "--block-signal=TERM,USR2,WINCH")
	c := launch(t, cfg)
	run(t, c, shell(cfg, 1, `cat /proc/self/status; trap 'echo trapped' HUP; kill -HUP $$`))
	out := read(t, cfg.Dir, "stdout")
	for _, want := range []string{"SigIgn:\t0000000000000000\n", "SigBlk:\t0000000000000000\n", "\ntrapped\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the task wrote %q, want %q in it", out, want)
		}
	}
}
