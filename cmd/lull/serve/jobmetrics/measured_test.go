package jobmetrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/spec"
)

// world feeds a measured slotter with entries of a log.
type world struct {
	t        *testing.T
	m        *Measured
	registry *prometheus.Registry
	seq      uint64
	now      time.Time
	leads    uint64 // term of the slotter, 0 while it does not lead
	joined   uint64 // term of the host
}

func newWorld(t *testing.T) *world {
	a, err := slotter.New(slotter.Config{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, registry: prometheus.NewRegistry(), now: time.Unix(1e9, 0), leads: 1}
	if w.m, err = New(a, "default", w.registry); err != nil {
		t.Fatal(err)
	}
	w.joined = w.apply(&subjects.Joined{Host: "h", Cores: 2, Slots: 2, Memory: 1 << 30})
	return w
}

// assign gives a job's task to the host.
func (w *world) assign(job string) (attempt uint64) {
	return w.apply(&subjects.Assigned{Host: "h", Job: job, Width: 1, Term: w.joined})
}

// finish runs a job's task to its end, and ends the job.
func (w *world) finish(job string) {
	w.apply(&subjects.Finished{Host: "h", Job: job, Fact: subjects.Fact{Attempt: w.assign(job), Term: w.joined}})
	w.apply(&subjects.JobFinished{Job: job})
}

// apply folds an event a second after the last one, and returns its sequence.
func (w *world) apply(e subjects.Event) uint64 {
	w.seq++
	w.now = w.now.Add(time.Second)
	w.m.Step(actors.Input{Now: w.now, Term: w.leads, Entry: &actors.Entry{Seq: w.seq, Time: w.now, Event: e}})
	return w.seq
}

func (w *world) submit(job string, deadline, predicted time.Duration) {
	s := &spec.Job{Name: job, Type: job, Queue: "night", Stages: []spec.Stage{{Name: "work", Tasks: 1, CPU: 1, Memory: 1, Argv: []string{"true"}}}}
	if err := s.Validate(); err != nil {
		w.t.Fatal(err)
	}
	at := int64(0)
	if deadline != 0 {
		at = w.now.Add(deadline).UnixNano()
	}
	w.apply(&subjects.Submitted{Job: job, Spec: *s, Inbox: w.seq + 1, At: w.now.UnixNano(), Deadline: at})
	w.apply(&subjects.Admitted{Job: job, Finish: w.now.Add(time.Second + predicted).UnixNano()})
}

// wants checks the value of a series, written as name{label="value",…} without the pool.
func (w *world) wants(series string, want float64) {
	w.t.Helper()
	if got, ok := w.values()[series]; !ok || got != want {
		w.t.Errorf("%s = %v (known: %v), want %v", series, got, ok, want)
	}
}

// values are the counters and gauges of the registry.
func (w *world) values() map[string]float64 {
	families, err := w.registry.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	values := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				if l.GetName() != "pool" {
					labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
				}
			}
			values[f.GetName()+"{"+strings.Join(labels, ",")+"}"] = m.GetCounter().GetValue() + m.GetGauge().GetValue() +
				float64(m.GetHistogram().GetSampleCount())
		}
	}
	return values
}

func TestJobsAreCountedByState(t *testing.T) {
	w := newWorld(t)
	w.submit("met", time.Minute, 2*time.Second)
	w.submit("missed", 4*time.Second, 2*time.Second)
	w.submit("open", 0, 0)
	w.finish("met")
	w.finish("missed")
	w.apply(&subjects.JobFinished{Job: "missed"}) // a repeat is void
	w.wants(`lull_deadlines_total{outcome="late"}`, 0)
	w.wants(`lull_deadlines_total{outcome="met"}`, 1)
	w.wants(`lull_deadlines_total{outcome="missed"}`, 1)
	w.wants(`lull_jobs{state="admitted"}`, 1)
	w.wants(`lull_jobs{state="submitted"}`, 0)
	w.wants(`lull_jobs{state="trying"}`, 0)
	w.wants(`lull_jobs_ended_total{state="cancelled"}`, 0)
	w.wants(`lull_jobs_ended_total{state="failed"}`, 0)
	w.wants(`lull_jobs_ended_total{state="finished"}`, 2)
	w.wants(`lull_jobs_ended_total{state="rejected"}`, 0)
}

// A standby folds what the leader decided: its counters must stand still, or sums over
// instances would be wrong.
func TestAStandbyCountsOnlyWhatIs(t *testing.T) {
	w := newWorld(t)
	w.leads = 0
	w.submit("job", 10*time.Second, 2*time.Second)
	w.finish("job")
	w.submit("open", 0, 0)
	w.wants(`lull_jobs_ended_total{state="finished"}`, 0)
	w.wants(`lull_jobs{state="admitted"}`, 1)
}

func TestASnapshotIsCountedAnew(t *testing.T) {
	w := newWorld(t)
	w.submit("one", 0, 0)
	w.submit("two", 0, 0)
	saved, err := w.m.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	w.submit("three", 0, 0)
	if err := w.m.Restore(saved); err != nil {
		t.Fatal(err)
	}
	w.wants(`lull_jobs{state="admitted"}`, 2)
}

func TestAttemptsAndQueues(t *testing.T) {
	w := newWorld(t)
	w.submit("job", 0, 0)
	w.now = w.now.Add(queuesEvery)
	id := w.assign("job")
	w.wants(`lull_attempts{}`, 1)
	w.wants(`lull_queue_jobs{queue="night"}`, 1)
	w.wants(`lull_queue_slots{queue="night"}`, 1)
	w.apply(&subjects.Failed{Host: "h", Job: "job", Fact: subjects.Fact{Attempt: id, Term: w.joined}})
	w.wants(`lull_attempts_ended_total{outcome="failed"}`, 1)
	w.wants(`lull_attempts{}`, 0)
}

// Users make queues by naming them, so the number of series is bounded.
func TestQueuesAreBounded(t *testing.T) {
	w := newWorld(t)
	for i := range 2 * maxQueues {
		w.m.jobsOf[strings.Repeat("q", i+1)] = 1
	}
	w.m.countQueues(w.now.Add(queuesEvery))
	n := 0
	for series := range w.values() {
		if strings.HasPrefix(series, "lull_queue_jobs{") {
			n++
		}
	}
	if n != maxQueues+1 {
		t.Errorf("series of queues = %d, want %d", n, maxQueues+1)
	}
}
