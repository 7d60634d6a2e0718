package doctor

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/hostctl/measure"
)

// trial holds the flags of --measure, which tries the protection.
type trial struct {
	measure bool
	length  time.Duration
	busy    bool
}

func (t *trial) flags(f *pflag.FlagSet) {
	f.BoolVar(&t.measure, "measure", false, "measure how well a primary is protected here, for some seconds")
	f.DurationVar(&t.length, "measure-for", 6*time.Second, "how long to measure, at least 2s")
	f.BoolVar(&t.busy, "measure-busy", false, "measure even if other work uses the machine")
}

// run measures if --measure is set. A measurement that fails becomes a check in the report that
// is not OK; only an interrupt is an error.
func (t *trial) run(parent context.Context, report *Report) error {
	if !t.measure {
		return nil
	}
	ctx, stop := interrupt.Context(parent)
	defer stop()
	result, err := measure.Run(ctx, measure.Config{For: t.length, Busy: t.busy})
	switch {
	case ctx.Err() != nil:
		return exit.With(exit.Interrupted, errors.New("interrupted; the measurement has left nothing behind"))
	case err != nil:
		report.Checks = append(report.Checks, Check{"measured", false, err.Error()})
	default:
		report.Measured = &result
	}
	return nil
}
