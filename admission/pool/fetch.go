package pool

import (
	"lull/admission/span"
	"lull/subjects"
)

// fetch is what a task of a stage copies from other hosts before its process starts.
type fetch struct {
	bytes   float64 // on average
	seconds float64 // that it holds its slot for that
}

// made is what the ended tasks of a stage gave to their readers.
type made struct {
	Tasks int     `msgpack:"gave_by,omitempty"`
	Bytes float64 `msgpack:"gave,omitempty"`
}

func (m *made) add(e *subjects.Finished) { m.Tasks, m.Bytes = m.Tasks+1, m.Bytes+float64(e.Given()) }

// each is what a task of the stage gives, on average. What a model says counts as much as some
// ended tasks.
func (m made) each(model float64, known bool) float64 {
	if known {
		return (float64(trusted*model) + m.Bytes) / float64(trusted+m.Tasks)
	}
	if m.Tasks == 0 {
		return 0
	}
	return m.Bytes / float64(m.Tasks)
}

// fetches finds what the tasks of a load's stages fetch. It is nothing while the pool does not know
// how fast tasks fetch.
func (cs *costs) fetches(l *Load) {
	if len(l.Stages) < 2 {
		return // no stage reads another
	}
	for i := range l.Stages {
		l.Stages[i].Fetch = fetch{}
	}
	rate := cs.Ledger.FetchRate()
	if rate <= 0 {
		return
	}
	f := flows{costs: cs, load: l, given: make([]float64, len(l.Stages)), state: make([]flowState, len(l.Stages))}
	for i := range l.Stages {
		bytes := span.Round(f.reads(i, true), 1)
		l.Stages[i].Fetch = fetch{bytes, span.Round(bytes/rate, 1e6)}
	}
}

// flows are what the stages of a job give to each other.
type flows struct {
	*costs
	load  *Load
	given []float64 // by a whole stage, in bytes
	state []flowState
}

// flowState is whether it is known what a stage gives.
type flowState uint8

const (
	unseen flowState = iota
	looking
	found
)

// gives is what a stage gives in all. A stage that reads what it gives itself, by way of others,
// is no stage that can run: it counts nothing.
func (f *flows) gives(stage uint32) float64 {
	if int64(stage) >= int64(len(f.given)) || f.state[stage] == looking {
		return 0
	}
	if f.state[stage] == unseen {
		f.state[stage] = looking
		f.given[stage] = f.task(int(stage)) * float64(f.load.Shape.Stages[stage].Tasks)
		f.state[stage] = found
	}
	return f.given[stage]
}

// task is what a task of a stage gives.
func (f *flows) task(stage int) float64 {
	t := &f.load.Stages[stage]
	m := f.Ledger.Model(t.Model)
	if m == nil || m.Yield <= 0 {
		return t.Made.each(0, false) // also a model of a slotter that did not know
	}
	if in := f.input(stage); m.Gives > 0 && in > 0 {
		return t.Made.each(m.Gives*in, true)
	}
	return t.Made.each(m.Yield, true)
}

// input is what a task of a stage reads.
func (f *flows) input(stage int) float64 {
	if bytes := f.load.bytes(stage); bytes > 0 {
		return float64(bytes)
	}
	return f.reads(stage, false)
}

// reads is what a task reads of earlier stages, or what it reads of them from other hosts.
func (f *flows) reads(stage int, remote bool) (bytes float64) {
	to := &f.load.Shape.Stages[stage]
	for i := range to.From {
		from := &to.From[i]
		part := f.gives(from.Stage)
		if from.Partition || from.Element {
			part /= float64(max(to.Tasks, 1))
		}
		if remote && part > 0 {
			part *= f.remoteShare(f.load.Stages[from.Stage].Unit.Class, f.load.Stages[stage].Unit.Class)
		}
		bytes += part
	}
	return bytes
}

// hop is the way from the slots of one class to those of another.
type hop struct{ from, to *Class }

// remoteShare is the share of outputs that a reader finds on other hosts, if those that write and those
// that read are spread over the slots of their classes.
func (cs *costs) remoteShare(from, to *Class) float64 {
	share, known := cs.hops[hop{from, to}]
	if known {
		return share
	}
	same, all, other := 0.0, 0.0, 0.0
	for i := range min(len(from.Room), len(to.Room)) {
		writes, reads := float64(max(from.Room[i], 0)), float64(max(to.Room[i], 0))
		same, all, other = same+float64(writes*reads), all+writes, other+reads
	}
	if all > 0 && other > 0 {
		share = span.Round(1-same/float64(all*other), 1e6)
	}
	cs.hops[hop{from, to}] = share
	return share
}

// Lead is how long a task of a stage holds its slot before its process starts.
func (t *LoadStage) Lead() span.Micros {
	if t.Fetch.seconds <= 0 {
		return 0
	}
	return span.Of(t.Fetch.seconds * t.Unit.MarginFactor)
}

// Cost is the slot time that a task takes from the pool, in µs, if it runs so many times as long as
// its curve says.
func (t *LoadStage) Cost(slow float64) float64 {
	return float64(t.Unit.cost*slow) + t.Unit.keeps(t.Fetch.seconds)
}

// time is how long so many tasks take when nothing is before them, in seconds.
func (t *LoadStage) time(slow float64) float64 {
	return float64(t.Unit.JCT(t.Left)*slow) + float64(t.Unit.MarginFactor*t.Fetch.seconds*float64(t.Unit.rounds(t.Left)))
}
