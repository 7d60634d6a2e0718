package measure

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
)

const (
	// load is the share of its cores that the primary takes: a server that has
	// most of its machine to itself, as most have.
	load = 0.3
	// maxThreads bounds the primary. More would prove no more, and on a large
	// machine 30 % of everything is too much to ask for a test.
	maxThreads = 8
	// shortest leaves some hundred requests a way on one core.
	shortest = 2 * time.Second
)

// Config says how to measure.
type Config struct {
	// For is the time of all rounds together. Defaults to 6 s, at least 2 s.
	For time.Duration
	// Shim is the command of a shim. Defaults to this program with "shim".
	Shim []string
	// Root is the prefix of /proc and /sys. Defaults to "/".
	Root string
	// Seed fixes the times of the requests.
	Seed uint64
	// Busy allows a measurement although other programs use the machine.
	Busy bool
}

// Result is what was seen. Latencies are in seconds.
type Result struct {
	Protection string  `json:"protection"` // in force while it was measured
	Cores      int     `json:"cores"`
	Load       float64 `json:"load"` // of the primary, in cores
	Alone      Latency `json:"alone"`
	Beside     Latency `json:"beside"`
	Ratio      float64 `json:"ratio"`     // of the 99th percentiles
	Idle       float64 `json:"idle"`      // cores idle while the primary was alone
	Harvested  float64 `json:"harvested"` // cores that batch work got
	Judgement  string  `json:"judgement"`
}

// Latency of requests, from the time they were meant to begin.
type Latency struct {
	Requests int     `json:"requests"`
	P50      float64 `json:"p50"`
	P99      float64 `json:"p99"`
}

// Run measures and leaves nothing behind, also when ctx ends. It takes For and
// about a second more. An error says why it could not be done.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if cfg.For == 0 {
		cfg.For = 6 * time.Second
	}
	if cfg.For < shortest {
		return Result{}, fmt.Errorf("measure for %v: too short to see a tail, take at least %v", cfg.For, shortest)
	}
	if cfg.Root == "" {
		cfg.Root = "/"
	}
	b, err := openBatch(ctx, cfg)
	if err != nil {
		return Result{}, err
	}
	r, err := run(ctx, cfg, b)
	return r, errors.Join(err, b.close())
}

func run(ctx context.Context, cfg Config, b *batch) (Result, error) {
	if err := b.quiet(ctx, cfg); err != nil {
		return Result{}, err
	}
	p := NewPrimary(min(runtime.NumCPU(), maxThreads), load, cfg.Seed)
	var alone, beside round
	for i, with := range []bool{false, true, true, false} {
		into := &alone
		if with {
			into = &beside
		}
		if err := into.add(ctx, cfg, p, b, with, uint64(i)); err != nil {
			return Result{}, err
		}
	}
	return b.result(p, alone, beside), nil
}

// round is what was seen of one way, in one round or several.
type round struct {
	latencies []time.Duration
	idle      float64 // CPU seconds that nothing used
	batch     float64 // CPU seconds that batch work used
	seconds   float64
}

// add runs one more round, a quarter of the time.
func (r *round) add(ctx context.Context, cfg Config, p *Primary, b *batch, with bool, n uint64) error {
	if with {
		if err := b.start(ctx); err != nil {
			return err
		}
	}
	before, begin := idle(cfg.Root), time.Now()
	r.latencies = append(r.latencies, p.Serve(ctx, cfg.For/4, n)...)
	r.idle += idle(cfg.Root) - before
	r.seconds += time.Since(begin).Seconds()
	if with {
		cpu, err := b.stop(ctx)
		if err != nil {
			return err
		}
		r.batch += cpu
	}
	return ctx.Err()
}

func (b *batch) result(p *Primary, alone, beside round) Result {
	r := Result{
		Protection: b.protection, Cores: runtime.NumCPU(), Load: load * float64(p.threads),
		Alone: Summary(alone.latencies), Beside: Summary(beside.latencies),
		Idle: alone.idle / alone.seconds, Harvested: beside.batch / beside.seconds,
	}
	r.Ratio = r.Beside.P99 / r.Alone.P99
	r.Judgement = judge(r)
	return r
}

// Summary sums up latencies, and sorts them.
func Summary(latencies []time.Duration) Latency {
	slices.Sort(latencies)
	return Latency{len(latencies), quantile(latencies, 0.5), quantile(latencies, 0.99)}
}

// quantile is the nearest-rank quantile of a sorted sample, in seconds; 0 of an
// empty one.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := min(int(q*float64(len(sorted))), len(sorted)-1)
	return sorted[rank].Seconds()
}
