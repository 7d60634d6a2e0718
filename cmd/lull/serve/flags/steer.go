package flags

import (
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/slotter"
)

// Steer adds --steer.
func Steer(f *pflag.FlagSet, steer *string) {
	choose(f, steer, "steer", "on which tenants' hosts jobs run: all (off), those of classes that suit how long the job runs (paper), or those where tasks are the likeliest to stay, by the tenants' past days (profile); needs a classifier", slotter.SteerOff, slotter.SteerPaper, slotter.SteerProfile)
	help.Scheduling.In(f, "steer")
}
