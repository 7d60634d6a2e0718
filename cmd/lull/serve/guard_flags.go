package serve

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

// GuardConfig says how this host's primary is guarded. Zeros mean the defaults,
// negative numbers "never".
type GuardConfig struct {
	// Budget is the seconds that the primary may wait for a CPU because of batch
	// work, per CPU second of its own.
	Budget float64
	// StarveAfter and StarveRun are MIMP's p and e.
	StarveAfter, StarveRun time.Duration
	// Evict is who makes way first: "youngest", the default, or "least-work".
	Evict string
}

// guardFlags say how the primary is guarded.
func guardFlags(f *pflag.FlagSet, g *GuardConfig) {
	f.Float64Var(&g.Budget, "guard-budget", guard.DefaultBudget, "seconds that the primary may wait for a CPU because of batch work, per CPU\n"+
		"second of its own; beyond it batch work gets fewer cores (0: never)")
	f.DurationVar(&g.StarveAfter, "starve-after", 10*time.Second, "time without enough CPU after which batch work is raised for a moment (0: never)")
	f.DurationVar(&g.StarveRun, "starve-run", 100*time.Millisecond, "CPU time that batch work is to have had by then (0: any will do)")
	f.StringVar(&g.Evict, "evict", "youngest", "which task makes way for the primary first: youngest, or least-work")
}

// settle turns the flags' zeros, which mean never, into negative numbers.
func (g *GuardConfig) settle() error {
	if g.Budget < 0 || g.StarveAfter < 0 || g.StarveRun < 0 {
		return exit.With(exit.Usage, fmt.Errorf("--guard-budget, --starve-after and --starve-run: use 0 or more"))
	}
	if _, err := actor.ParseEviction(g.Evict); err != nil {
		return exit.With(exit.Usage, fmt.Errorf("--evict: %w", err))
	}
	never(&g.Budget)
	never(&g.StarveAfter)
	never(&g.StarveRun)
	return nil
}

func never[T float64 | time.Duration](flag *T) {
	if *flag <= 0 {
		*flag = -1
	}
}
