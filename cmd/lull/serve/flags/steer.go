package flags

import (
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/slotter"
)

// Steer adds --steer.
func Steer(f *pflag.FlagSet, steer *string) {
	choose(f, steer, "steer", "how the history of tenants chooses hosts: those where tasks are the likeliest to stay for as long as they run (profile), those of classes that suit how long the job runs (paper), or not (off); needs a classifier",
		slotter.SteerProfile, slotter.SteerPaper, slotter.SteerOff)
	help.Scheduling.In(f, "steer")
}
