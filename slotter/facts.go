package slotter

import (
	"iter"

	"lull/slotter/absence"
	"lull/slotter/datanode"
	"lull/slotter/queues"
	"lull/slotter/supply"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// facts are what all parts of the actor share. A part keeps the rest of its state to
// itself.
type facts struct {
	cfg   Config
	state *ledger.State
	now   int64 // Unix nanoseconds of the last step
	led   int64 // when a slotter took the lead last

	jobs      jobs
	hosts     hosts
	curves    *tct.Curves
	lines     lines
	dataNodes *datanode.Nodes
	queues    *queues.Set
	supply    supply.Supply
	absent    absence.Record
	rounds    uint64 // since the start: lines and groups note the round that their lists are of

	due     due
	lookAt  int64 // when free slots are looked at again, 0 if not before something happens
	backoff int64 // when the next backoff ends, 0 if none runs
}

// due marks what must be looked at. A mark is set when something happened that may call
// for an event, and cleared when a look found nothing to decide. So what was decided but
// never came back from the log is decided again.
type due struct {
	slots    bool // a slot or a task became free
	endings  bool // a job is complete or has a dead task
	unwanted bool // an attempt lost its task
	outputs  bool // a host was lost
}

// everything is to be looked at: of a new lead, and after what may have changed all.
var everything = due{true, true, true, true}

// newFacts are the facts of an actor that has folded state and received no telemetry yet.
func newFacts(cfg Config, state *ledger.State) *facts {
	return &facts{
		cfg: cfg, state: state, due: everything,
		jobs: newJobs(), hosts: newHosts(), curves: tct.NewCurves(), lines: newLines(),
		dataNodes: datanode.New(cfg.DataNodes), queues: queues.New(state), absent: absence.Record{},
	}
}

// decideAt has the actor decide on free slots and rates again at a time.
func (f *facts) decideAt(at int64) {
	if f.lookAt == 0 || at < f.lookAt {
		f.lookAt = at
	}
}

// live yields the jobs that may run, by submission, with the job that rounds look at, nil
// for a far one.
func (f *facts) live() iter.Seq2[*ledger.Job, *job] {
	return func(yield func(*ledger.Job, *job) bool) {
		for life := range f.state.LiveJobs().All() {
			if life.Live() && !yield(life, f.jobs.of[life]) {
				return
			}
		}
	}
}

// usual is a task's time on a usual slot.
func (f *facts) usual(c *tct.Curve) float64 { return c.Seconds(residualAt(f.supply.Usual())) }

// forgetReadings has the nodes of stages looked up anew: outputs may be on other hosts
// now, or the jobs over.
func (f *facts) forgetReadings() {
	live := 0
	for _, j := range f.jobs.bySeq {
		live += len(j.stages)
	}
	f.dataNodes.Forget(live)
}
