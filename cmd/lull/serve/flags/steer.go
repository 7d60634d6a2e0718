package flags

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/slotter"
	"lull/slotter/steering"
)

// Steer adds --steer and --steer-weights.
func Steer(f *pflag.FlagSet, cfg *slotter.Config) {
	Choose(f, &cfg.Steer, "steer", "how the history of tenants chooses hosts: those where tasks are the likeliest to stay for as long as they run (profile), those of classes that suit how long the job runs (paper), or not (off); needs a classifier",
		slotter.SteerProfile, slotter.SteerPaper, slotter.SteerOff)
	Weights(f, &cfg.Weights)
	help.Scheduling.In(f, "steer", "steer-weights")
}

// Weights adds --steer-weights.
func Weights(f *pflag.FlagSet, to *steering.Weights) {
	*to = steering.Ranked
	f.Var((*weights)(to), "steer-weights", "with --steer paper: how much a class counts whose pattern suits a job's length best, second best and worst")
}

// weights are three numbers with commas between them.
type weights steering.Weights

// mostWeight bounds a weight: sums of headroom times weight must fit.
const mostWeight = 1000

func (w *weights) String() string { return fmt.Sprintf("%d,%d,%d", w[0], w[1], w[2]) }

func (w *weights) Type() string { return "first,second,third" }

func (w *weights) Set(text string) error {
	parts := strings.Split(text, ",")
	if len(parts) != len(w) {
		return fmt.Errorf("name three weights, such as 3,2,1")
	}
	sum := uint64(0)
	for i, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 32)
		if err != nil || n > mostWeight {
			return fmt.Errorf("%q is no whole number from 0 to %d", part, mostWeight)
		}
		w[i], sum = uint32(n), sum+n
	}
	if sum == 0 {
		return fmt.Errorf("one of them must be above 0")
	}
	return nil
}
