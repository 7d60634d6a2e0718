package interference

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lull/test/bench/live/host"
	"lull/test/bench/live/stage"
	"lull/test/steal"
)

// measurement is one measurement: the primary under one load beside batch work in one
// way. Latencies are in ms, from when a request should have left.
type measurement struct {
	way                 string
	p50, p95, p99, p999 float64
	asked, rate         float64 // requests due and answered, a second
	batch               float64 // cores that batch work used
	states              states  // of the primary, in seconds a second
	cost                float64 // CPU of the server a request, ms
	late                float64 // median delay of the users' own side, ms
	stolen              float64 // share of the machine
	others              float64 // cores that neither the primary nor batch work used
	took                []int64 // ns, each request's
	due                 []int64
}

// gauge measures on a stage what the primary's users notice.
type gauge struct{ *stage.Stage }

// reading is everything that is counted, at one moment.
type reading struct {
	at      time.Time
	ticks   steal.Ticks
	primary states  // server and users
	server  float64 // CPU seconds
	batch   float64
	busy    float64 // CPU seconds of everything
}

func (s gauge) read(b stage.Batch) (r reading, err error) {
	server, users := s.Tenant.PIDs()
	r.at = time.Now()
	var errs [5]error
	r.ticks, errs[0] = steal.Read()
	r.primary, errs[1] = readStates(s.Begin, server, users)
	only, err := readStates(s.Begin, server)
	r.server, errs[2] = only.running, err
	r.batch, errs[3] = b.CPU()
	r.busy, errs[4] = host.Busy("/proc/stat")
	return r, errors.Join(errs[:]...)
}

// othersMost is the cores that may be used by neither the primary nor batch work: other programs on
// this machine lengthen the tail of either. lull's own services and the helper of a way count as
// others and stay far below.
const othersMost = 0.2

// warmup is the load before a measurement: batch work is then in its place,
// and the primary's queue as long as it will be.
const warmup = 0.7

// measure measures one order beside batch work.
func (s gauge) measure(ctx context.Context, way, kind string, o stage.Order) (found measurement, err error) {
	b, err := s.Start(ctx, way, kind)
	if err != nil {
		return found, fmt.Errorf("%s: %w", way, err)
	}
	defer func() { err = errors.Join(err, b.Stop()) }()
	before := stage.Order{Seed: o.Seed + 1<<32, Phases: []stage.Phase{{Rate: o.Phases[0].Rate, Seconds: warmup}}}
	if _, err := s.Tenant.Run(ctx, before); err != nil {
		return found, err
	}
	first, err := s.read(b)
	if err != nil {
		return found, err
	}
	out, err := s.Tenant.Run(ctx, o)
	if err != nil {
		return found, err
	}
	last, err := s.read(b)
	return picture(way, out, first, last), err
}

// picture is what two readings and the answers between them say.
func picture(way string, out *stage.Outcome, first, last reading) measurement {
	wall := last.at.Sub(first.at).Seconds()
	answered := float64(len(out.Took) - out.Lost)
	spent := last.primary.since(first.primary)
	batch := last.batch - first.batch
	sorted := slices.Sorted(slices.Values(out.Took))
	return measurement{
		way: way,
		p50: at(sorted, 0.5), p95: at(sorted, 0.95), p99: at(sorted, 0.99), p999: at(sorted, 0.999),
		asked: float64(len(out.Took)) / wall, rate: answered / wall,
		batch:  batch / wall,
		others: max(last.busy-first.busy-spent.running-batch, 0) / wall,
		states: states{spent.running / wall, spent.runnable / wall, spent.blocked / wall},
		cost:   1000 * (last.server - first.server) / max(answered, 1),
		late:   float64(out.Late) / 1e6, stolen: last.ticks.Since(first.ticks),
		took: out.Took, due: out.Due,
	}
}

// at is a quantile of sorted nanoseconds by the nearest rank, in ms.
func at(sorted []int64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return float64(sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]) / 1e6
}
