// Package facts holds what all parts of the slotter know: its configuration, the ledger, the time of the step, the hosts
// with what is free on them, the jobs that rounds look at, and the lines in which their tasks wait.
//
//	job ──▶ stages ──▶ group: curve ──▶ line: needs ◀── fits ── host ──▶ attempts that run
//	                     ▲
//	                   work: a stage's tasks, of one round
//
// The parts work on them in turn, on one goroutine. What only one part needs is in that part.
package facts

import (
	"iter"

	"lull/slotter/absence"
	"lull/slotter/datanode"
	"lull/slotter/queues"
	"lull/slotter/supply"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// Facts are what all parts of the actor share. A part keeps the rest of its state to
// itself.
type Facts struct {
	Config Config
	Ledger *ledger.State
	Now    int64 // Unix nanoseconds of the last step
	Led    int64 // when a slotter took the lead last

	Jobs      Jobs
	Hosts     Hosts
	Curves    *tct.Curves
	Lines     Lines
	DataNodes *datanode.Nodes
	Queues    *queues.Set
	Supply    supply.Supply
	Absent    absence.Record
	Rounds    uint64 // since the start: lines and groups note the round that their lists are of

	Due     due
	LookAt  int64 // when free slots are looked at again, 0 if not before something happens
	Backoff int64 // when the next backoff ends, 0 if none runs
}

// due marks what must be looked at. A mark is set when something happened that may call
// for an event, and cleared when a look found nothing to decide. So what was decided but
// never came back from the log is decided again.
type due struct {
	Slots    bool // a slot or a task became free
	Endings  bool // a job is complete or has a dead task
	Unwanted bool // an attempt lost its task
	Outputs  bool // a host was lost
}

// Everything is to be looked at: of a new lead, and after what may have changed all.
var Everything = due{true, true, true, true}

// New are the facts of an actor that has folded state and received no telemetry yet.
func New(cfg Config, state *ledger.State) *Facts {
	return &Facts{
		Config: cfg, Ledger: state, Due: Everything,
		Jobs: newJobs(), Hosts: newHosts(), Curves: tct.NewCurves(), Lines: newLines(),
		DataNodes: datanode.New(cfg.DataNodes), Queues: queues.New(state), Absent: absence.Record{},
	}
}

// DecideAt has the actor decide on free slots and rates again at a time.
func (f *Facts) DecideAt(at int64) {
	if f.LookAt == 0 || at < f.LookAt {
		f.LookAt = at
	}
}

// Live yields the jobs that may run, by submission, with the job that rounds look at, nil
// for a far one.
func (f *Facts) Live() iter.Seq2[*ledger.Job, *Job] {
	return func(yield func(*ledger.Job, *Job) bool) {
		for life := range f.Ledger.LiveJobs().All() {
			if life.Live() && life.Awaiting == nil && !yield(life, f.Jobs.Of[life]) {
				return
			}
		}
	}
}

// Usual is a task's time on a usual slot.
func (f *Facts) Usual(c *tct.Curve) float64 { return c.Seconds(ResidualAt(f.Supply.Usual())) }

// ForgetReadings has the nodes of stages looked up anew: outputs may be on other hosts
// now, or the jobs over.
func (f *Facts) ForgetReadings() {
	live := 0
	for _, j := range f.Jobs.BySeq {
		live += len(j.Stages)
	}
	f.DataNodes.Forget(live)
}
