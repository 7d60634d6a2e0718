package serve

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/hostctl"
	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

// guardFlags say how the primary is guarded.
func guardFlags(f *pflag.FlagSet, o *hostctl.Options) {
	f.Float64Var(&o.GuardBudget, "guard-budget", guard.DefaultBudget, "seconds that the primary may wait for a CPU because of batch work, per CPU\n"+
		"second of its own; beyond it batch work gets fewer cores (0: never)")
	f.DurationVar(&o.StarveAfter, "starve-after", 10*time.Second, "time without enough CPU after which batch work is raised for a moment (0: never)")
	f.DurationVar(&o.StarveRun, "starve-run", 100*time.Millisecond, "CPU time that batch work is to have had by then (0: any will do)")
	f.StringVar(&o.Evict, "evict", "youngest", "which task makes way for the primary first: youngest, or least-work")
}

// settleGuard turns the flags' zeros, which mean never, into negative numbers.
func settleGuard(o *hostctl.Options) error {
	if o.GuardBudget < 0 || o.StarveAfter < 0 || o.StarveRun < 0 {
		return exit.With(exit.Usage, fmt.Errorf("--guard-budget, --starve-after and --starve-run: use 0 or more"))
	}
	if _, err := actor.ParseEviction(o.Evict); err != nil {
		return exit.With(exit.Usage, fmt.Errorf("--evict: %w", err))
	}
	never(&o.GuardBudget)
	never(&o.StarveAfter)
	never(&o.StarveRun)
	return nil
}

func never[T float64 | time.Duration](flag *T) {
	if *flag <= 0 {
		*flag = -1
	}
}
