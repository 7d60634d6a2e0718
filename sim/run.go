package sim

import (
	"math"
	"slices"
	"time"

	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/spec"
)

// run is one attempt in a host's hands.
type run struct {
	actor.Task
	stage     *spec.Stage
	bytes     int64 // of a task's input on average
	truth     *curve
	scale     float64 // of the truth's seconds, for this task alone
	dataNodes []*dataNode
	kept      bool // a later stage reads its output
	inputs    inputs
	fetch     *fetch         // while it fetches
	copied    subjects.Fetch // what it fetched
	disk      float64        // bytes/s of the host's disk; 0 for no limit

	running bool
	began   time.Duration
	at      int64         // what the machine took for the time then
	expires time.Duration // when it has run for too long
	left    float64       // of its work, from 1 to 0
	rate    float64       // of its work a second
	ends    time.Duration // at this rate
	target  float64       // the most that it is to read, bytes/s; 0 for no limit
	limit   float64       // cores that it may use for that
	// priority decides which rates are kept where the idle cores do not suffice for all.
	priority  float64
	residual  float64 // residual that it gets
	demand    float64 // bytes/s, what it wants of its data nodes
	usedCores float64 // cores, what it uses
	cpu       float64 // core-seconds
	reads     reads
	ended     *actor.Ended // nil while it is not over
}

// newRun looks up what an attempt is. The spec is that of the log: what the
// scenario says of sizes and data nodes reaches the hosts in no other way.
func (h *host) newRun(t actor.Task) *run {
	j := h.w.ledger.Job(t.Job)
	r := &run{Task: t, left: 1, ends: endOfTime, expires: endOfTime}
	if j == nil || int(t.Stage) >= len(j.Shape.Stages) {
		r.truth, r.stage, r.scale = conserved(&spec.Stage{}), &spec.Stage{}, 1
		return r
	}
	r.stage, r.bytes = &j.Shape.Stages[t.Stage], j.Stages[t.Stage].Bytes
	if r.truth = h.w.truths[j.Shape.Model(int(t.Stage))]; r.truth == nil {
		r.truth = conserved(r.stage)
	}
	r.scale = r.truth.factor(h.w.Seed, t.Job, r.bytes, t.TaskID)
	if r.truth.Read > 0 {
		r.dataNodes = h.w.dataNodes.of(r.stage.Sources)
	}
	r.kept = slices.ContainsFunc(j.Shape.Stages, func(s spec.Stage) bool {
		return slices.ContainsFunc(s.From, func(f spec.From) bool { return f.Stage == t.Stage })
	})
	r.inputs = h.inputs(j, r)
	if h.w.network != nil {
		r.disk = h.w.network.disk(h.Name)
	}
	return r
}

// read is what it reads in all, written what it writes.
func (r *run) read() float64 { return float64(r.bytes) + r.inputs.bytes }
func (r *run) written() float64 {
	switch {
	case r.truth.Gives > 0:
		return r.read() * r.truth.Gives
	case r.stage.Yield > 0: // the document says how much, and that is taken as true
		return float64(r.stage.Yield)
	}
	return r.read() * r.stage.Gives
}

// begin makes it run from now on.
func (r *run) begin(h *host) {
	r.running, r.began, r.at = true, h.w.now, h.machine.unix()
	for _, most := range []time.Duration{r.stage.Timeout, r.stage.Wall} {
		if most > 0 {
			r.expires = min(r.expires, h.w.now+most)
		}
	}
	for _, s := range r.dataNodes {
		s.join(h)
	}
}

// stop takes it off its slot.
func (r *run) stop(h *host) {
	r.running = false
	for _, s := range r.dataNodes {
		s.demand -= r.demand
		s.leave(h)
	}
	r.demand = 0
}

// advance does the work of some time.
func (r *run) advance(d time.Duration) {
	seconds := d.Seconds()
	r.left -= r.rate * seconds
	r.cpu += r.usedCores * seconds
	if r.truth.Read > 0 {
		r.reads.add(r.rate*r.truth.Read*r.truth.seconds(1)*r.scale, seconds)
	}
}

// setDemand gives its data nodes the rate that it asks of them at residual.
func (r *run) setDemand(residual float64) {
	if len(r.dataNodes) == 0 {
		return
	}
	demand := 0.0
	if residual > 0 {
		read := r.truth.Read * r.truth.seconds(1) / r.truth.seconds(residual)
		demand = read / float64(len(r.stage.Sources)) // spread over all, limited or not
	}
	for _, s := range r.dataNodes {
		s.demand += demand - r.demand
	}
	r.demand = demand
}

// setSpeed sets how fast it runs at residual from now on; when that is as before,
// it ends when it was to end.
func (r *run) setSpeed(now time.Duration, residual float64, busy int) {
	factor := 1.0
	for _, s := range r.dataNodes {
		factor = min(factor, s.factor)
	}
	rate := factor / (r.truth.seconds(residual) * r.scale)
	if moved := r.read() + r.written(); r.disk > 0 && moved > 0 {
		rate = min(rate, r.disk/(moved*float64(busy))) // the host's runs share its disk
	}
	r.usedCores = residual * r.maxCores() * factor
	if rate == r.rate {
		return
	}
	r.rate, r.ends = rate, endOfTime
	const never = 1e9 // s
	if left := max(r.left, 0) / rate; left < never {
		r.ends = now + time.Duration(math.Ceil(left*1e9))
	}
}

// used is what the log says of the run.
func (r *run) used(now time.Duration) subjects.Run {
	if r.at == 0 {
		return subjects.Run{}
	}
	return subjects.Run{
		Start: r.at, Seconds: (now - r.began).Seconds(), CPU: r.cpu,
		In: int64(r.read() * (1 - max(r.left, 0))), Read: r.reads.percentile(),
	}
}
