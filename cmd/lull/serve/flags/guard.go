package flags

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/hostctl"
	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

// guardFlags adds the flags of the guard, which protects the primary.
func guardFlags(f *pflag.FlagSet, o *hostctl.Options) {
	f.Float64Var(&o.GuardBudget, "guard-budget", guard.DefaultBudget, "seconds that the primary may wait for a CPU because of batch work, per CPU\n"+
		"second of its own; beyond it batch work gets fewer cores (0: never)")
	f.DurationVar(&o.StarveAfter, "starve-after", 10*time.Second, "time with less CPU than --starve-run after which batch work gets the weight of ordinary work for a moment (0: never)")
	f.DurationVar(&o.StarveRun, "starve-run", 100*time.Millisecond, "CPU time that batch work must get within --starve-after (0: any)")
	f.StringVar(&o.Evict, "evict", "youngest", "which task is evicted for the primary first: youngest, or least-work")
}

// completeGuard turns zeros of flags, which mean never, into negative numbers, which mean that
// in Options.
func completeGuard(o *hostctl.Options) error {
	if o.GuardBudget < 0 || o.StarveAfter < 0 || o.StarveRun < 0 {
		return exit.With(exit.Usage, fmt.Errorf("--guard-budget, --starve-after and --starve-run: use 0 or more"))
	}
	if _, err := actor.ParseEviction(o.Evict); err != nil {
		return exit.With(exit.Usage, fmt.Errorf("--evict: %w", err))
	}
	zeroToNever(&o.GuardBudget)
	zeroToNever(&o.StarveAfter)
	zeroToNever(&o.StarveRun)
	return nil
}

func zeroToNever[T float64 | time.Duration](flag *T) {
	if *flag <= 0 {
		*flag = -1
	}
}
