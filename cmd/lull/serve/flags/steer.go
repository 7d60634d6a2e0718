package flags

import (
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/slotter"
)

// Steer adds --steer.
func Steer(f *pflag.FlagSet, steer *string) {
	choose(f, steer, "steer", "on which tenants' hosts jobs run: all (off), or those of classes that suit how long the job runs (paper); needs a classifier", slotter.SteerOff, slotter.SteerPaper)
	help.Scheduling.In(f, "steer")
}
