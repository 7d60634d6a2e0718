package flags

import (
	"fmt"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/hostctl"
	"lull/subjects/turns"
)

// transferFlags adds the bounds of what tasks fetch at once.
func transferFlags(f *pflag.FlagSet, o *hostctl.Options) {
	f.IntVar(&o.TaskTransfers, "task-transfers", turns.TaskTransfers, "transfers at once that fetch a task's input from other hosts")
	f.IntVar(&o.Transfers, "transfers", turns.HostTransfers, "the same for all tasks of this host together, with inputs from URLs")
	f.BoolVar(&o.Probe, "probe", false, "measure the network to other hosts when lull topology measure asks for it: 64 MB or 2 s a probe, one at a time")
	help.Network.In(f, "task-transfers", "transfers", "probe")
}

func checkTransfers(o *hostctl.Options) error {
	if o.TaskTransfers < 1 || o.Transfers < 1 {
		return exit.With(exit.Usage, fmt.Errorf("--task-transfers %d and --transfers %d: use at least 1", o.TaskTransfers, o.Transfers))
	}
	return nil
}
