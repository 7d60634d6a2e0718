package kept

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/actor"
	"lull/hostctl/coalesce"
	"lull/hostctl/queries"
	"lull/hostctl/store"
	"lull/subjects"
)

// Slotter knows which outputs are still needed. queries.Slotter implements it.
type Slotter interface {
	// EachKept visits the outputs of a host that are still read, page by page. It fails with
	// queries.ErrNotJoined until the slotter knows the host.
	EachKept(ctx context.Context, host string, visit func([]subjects.KeptOutput)) error
	// Wanted returns those of the jobs that are still needed.
	Wanted(ctx context.Context, jobs []string) ([]string, error)
}

// Config is what a Keeper works with. All fields but Registerer are required.
type Config struct {
	Host    string
	Store   *store.Store
	Slotter Slotter
	// Ready is closed when the host has joined: no output is missing before.
	Ready <-chan struct{}
	// Busy reports whether the host has an attempt of a job that is not over yet.
	Busy func(job string) bool
	// Report passes losses to the host's actor.
	Report     func(actor.Missing)
	Logger     *slog.Logger
	Registerer prometheus.Registerer // nil for none
}

// Keeper looks after the outputs of one host. Its methods are safe for concurrent use.
type Keeper struct {
	cfg      Config
	missed   coalesce.Signal // a reader asked for an output that is not here
	doubts   *doubts         // outputs that may be damaged
	vanished prometheus.Counter
}

// New returns a keeper and registers its metrics.
func New(c Config) (*Keeper, error) {
	k := &Keeper{cfg: c, missed: coalesce.New(), doubts: newDoubts()}
	return k, k.register()
}

// Run checks outputs after calls of Missed and Doubt, and removes what is no longer needed, until
// ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	var loops sync.WaitGroup
	defer loops.Wait()
	for _, loop := range []func(context.Context){k.checkMissed, k.checkDoubted, k.sweepRegularly} {
		loops.Go(func() { loop(ctx) })
	}
}

const (
	// firstCheck is the pause after a check. It doubles while checks find nothing wrong, so
	// that readers that ask for outputs that never existed cost little.
	firstCheck = time.Second
	lastCheck  = time.Minute
	// checkShare bounds the time that checks take: one part in checkShare.
	checkShare = 10
)

// checkOn calls check after each signal, once the host is ready, for at most one part in
// checkShare of the time. check returns the number of outputs that it found wrong.
func (k *Keeper) checkOn(ctx context.Context, asked coalesce.Signal, check func(context.Context) (int, error)) {
	select {
	case <-k.cfg.Ready:
	case <-ctx.Done():
		return
	}
	for pause := firstCheck; ; {
		select {
		case <-asked:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		wrong, err := check(ctx)
		if ctx.Err() != nil {
			return // the agent stops, and the check with it
		}
		if err != nil {
			if !errors.Is(err, queries.ErrNotJoined) { // else the slotter is a moment behind this host
				k.cfg.Logger.Info("kept outputs could not be compared with the log; trying again", "in", pause, "error", err)
			}
			asked.Raise()
		}
		select {
		case <-time.After(max(pause, checkShare*time.Since(began))):
		case <-ctx.Done():
			return
		}
		if pause = min(2*pause, lastCheck); wrong > 0 {
			pause = firstCheck
		}
	}
}
