package flags

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/hostctl"
	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

// guardFlags adds the flags of the guard, which protects the primary.
func guardFlags(f *pflag.FlagSet, o *hostctl.Options) {
	f.Float64Var(&o.GuardBudget, "guard-budget", guard.DefaultBudget, "seconds that the primary may wait for a CPU because of tasks, per CPU second that it uses; beyond that tasks get fewer cores (0: no limit)")
	f.DurationVar(&o.StarveAfter, "starve-after", 10*time.Second, "after tasks had less CPU than --starve-run for this long, they get an ordinary weight for a moment (0: never)")
	f.DurationVar(&o.StarveRun, "starve-run", 100*time.Millisecond, "CPU time that tasks need within --starve-after (0: any)")
	f.StringVar(&o.Evict, "evict", "youngest", "which task is evicted for the primary first: youngest, or least-work")
	help.Protection.In(f, "guard-budget", "starve-after", "starve-run", "evict")
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
