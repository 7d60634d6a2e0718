package flags

import (
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
)

// AwaitPlacer adds --await-placer.
func AwaitPlacer(f *pflag.FlagSet, wait *time.Duration) {
	f.DurationVar(wait, "await-placer", 2*time.Second, "how long a job whose stages exchange data waits for the placer, if the pool has one, to choose its hosts; negative: not at all")
	help.Scheduling.In(f, "await-placer")
}
