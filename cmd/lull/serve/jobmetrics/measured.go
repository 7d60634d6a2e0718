package jobmetrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Outcomes of deadlines and of attempts, as labels.
const (
	met    = "met"
	missed = "missed"
	late   = "late"

	finished = "finished"
	failed   = "failed"
	evicted  = "evicted"
	declined = "declined"
)

// queuesEvery is the interval between counts of the queues. Each walks over all attempts.
const queuesEvery = 15 * time.Second

// Measured is a slotter with metrics.
type Measured struct {
	*slotter.Actor
	metrics *metrics

	live      [ledger.Trying + 1]int // jobs that have not ended, by phase
	jobsOf    map[string]int         // the same by queue
	queuesDue time.Time
}

var (
	_ actors.Actor    = (*Measured)(nil)
	_ actors.Answerer = (*Measured)(nil)
	_ actors.Traced   = (*Measured)(nil)
)

// New returns the actor with metrics in a registry, nil for none.
func New(a *slotter.Actor, pool subjects.Pool, to prometheus.Registerer) (*Measured, error) {
	m := &Measured{Actor: a, metrics: newMetrics(pool)}
	m.count()
	return m, m.metrics.register(to)
}

// Step runs the actor's step and sets the metrics.
func (m *Measured) Step(in actors.Input) actors.Output {
	if in.Entry == nil {
		return m.Actor.Step(in)
	}
	attempt := m.State().Attempt(subjects.AttemptOf(in.Entry.Event))
	id := ""
	if attempt == nil { // events of attempts change no job's phase, and come most often
		id = subjects.JobOf(in.Entry.Event)
	}
	before, known := m.phase(id)

	out := m.Actor.Step(in)

	if j := m.State().Job(id); j != nil && (!known || j.Phase != before) {
		m.move(j, before, known, in.Term != 0)
	}
	if attempt != nil && in.Term != 0 && m.State().Attempt(attempt.ID) == nil {
		m.ended(in.Entry.Event)
	}
	m.metrics.attempts.Set(float64(m.State().Occupied()))
	m.countQueues(in.Now)
	return out
}

// Restore replaces the state by a snapshot's, and counts anew.
func (m *Measured) Restore(b []byte) error {
	if err := m.Actor.Restore(b); err != nil {
		return err
	}
	m.count()
	return nil
}

func (m *Measured) phase(job string) (ledger.Phase, bool) {
	if j := m.State().Job(job); j != nil {
		return j.Phase, true
	}
	return 0, false
}

// move counts a job that came, or went from one phase to another.
func (m *Measured) move(j *ledger.Job, before ledger.Phase, known, leads bool) {
	if known {
		m.add(j, before, -1)
	}
	m.add(j, j.Phase, 1)
	if leads && j.Phase.Ended() {
		m.judge(j)
	}
}

// add adds n to the jobs of a phase, unless it is one of ended jobs.
func (m *Measured) add(j *ledger.Job, p ledger.Phase, n int) {
	if p.Ended() {
		return
	}
	m.live[p] += n
	m.metrics.jobs.WithLabelValues(p.String()).Set(float64(m.live[p]))
	q := j.Shape.Share()
	if m.jobsOf[q] += n; m.jobsOf[q] == 0 {
		delete(m.jobsOf, q)
	}
}

// judge says of a job that has just ended how it ended and what became of its deadline.
func (m *Measured) judge(j *ledger.Job) {
	m.metrics.jobsEnded.WithLabelValues(j.Phase.String()).Inc()
	if j.Admitted == 0 || j.Phase != ledger.Finished && j.Phase != ledger.Failed {
		return
	}
	if j.Deadline != 0 {
		m.metrics.deadlines.WithLabelValues(outcome(j)).Inc()
	}
	if predicted, took := j.Finish-j.Admitted, j.Ended-j.Admitted; j.Phase == ledger.Finished && predicted > 0 && took > 0 {
		m.metrics.ratio.Observe(float64(predicted) / float64(took))
	}
}

func outcome(j *ledger.Job) string {
	switch {
	case j.Phase == ledger.Finished && j.Ended <= j.Deadline:
		return met
	case j.Late || j.Shape.Late:
		return late
	}
	return missed
}

// ended counts an attempt that an event ended. An attempt of a host that was given up has no
// outcome.
func (m *Measured) ended(e subjects.Event) {
	var outcome string
	switch e.(type) {
	case *subjects.Finished:
		outcome = finished
	case *subjects.Failed:
		outcome = failed
	case *subjects.Evicted:
		outcome = evicted
	case *subjects.Declined:
		outcome = declined
	default:
		return
	}
	m.metrics.tasksEnded.WithLabelValues(outcome).Inc()
}

// count counts all jobs anew.
func (m *Measured) count() {
	m.live, m.jobsOf, m.queuesDue = [ledger.Trying + 1]int{}, map[string]int{}, time.Time{}
	for _, p := range []ledger.Phase{ledger.Submitted, ledger.Trying, ledger.Admitted} {
		m.metrics.jobs.WithLabelValues(p.String()).Set(0)
	}
	for j := range m.State().Jobs().All() {
		m.add(j, j.Phase, 1)
	}
}
