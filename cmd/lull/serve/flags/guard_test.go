package flags

import (
	"testing"
	"time"

	"lull/cmd/lull/exit"
	"lull/hostctl"
	"lull/hostctl/guard"
)

func TestGuardFlagsTellNeverFromDefault(t *testing.T) {
	for _, c := range []struct {
		args []string
		want hostctl.Options
	}{
		{nil, hostctl.Options{GuardBudget: guard.DefaultBudget, StarveAfter: 10 * time.Second, StarveRun: 100 * time.Millisecond, Evict: "youngest"}},
		{[]string{"--guard-budget=0", "--starve-after=0", "--starve-run=0"},
			hostctl.Options{GuardBudget: -1, StarveAfter: -1, StarveRun: -1, Evict: "youngest"}},
		{[]string{"--guard-budget=0.2", "--starve-after=1s", "--starve-run=1ms", "--evict=least-work"},
			hostctl.Options{GuardBudget: 0.2, StarveAfter: time.Second, StarveRun: time.Millisecond, Evict: "least-work"}},
	} {
		h, err := parse(t, c.args...)
		if err != nil || h.GuardBudget != c.want.GuardBudget || h.StarveAfter != c.want.StarveAfter || h.StarveRun != c.want.StarveRun || h.Evict != c.want.Evict {
			t.Errorf("parse(%v) = %+v, %v, want %+v", c.args, h.Options, err, c.want)
		}
	}
	for _, arg := range []string{"--guard-budget=-1", "--starve-after=-1s", "--evict=oldest"} {
		if _, err := parse(t, arg); exit.Code(err) != exit.Usage {
			t.Errorf("parse(%s) = %v, want a usage error", arg, err)
		}
	}
}
