package pure

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/admission"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// Verdict measures how long admission takes to decide on a job while many admitted jobs wait. The hosts of
// the pool report once a second, and tasks begin and end.
var Verdict = tables.Table{Name: "verdict", What: "an admission's verdict behind queues of promised jobs", Run: verdict}

func verdict(ctx context.Context, quick bool) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"A verdict is a submission's step, after a second of telemetry of every host and of tasks that finished;",
		"every fifth step also looks at all promises. Times are CPU time of the thread; wall_p99_ms has what other",
		"work of the machine adds. naive: the first verdict after a restart, which predicts every job anew.",
	}}
	queues, verdicts := []struct {
		jobs  int
		bound float64
	}{{1000, 1}, {100_000, 20}}, 300
	if quick {
		queues, verdicts = queues[:1], 20
	}
	for _, q := range queues {
		row, worst, err := verdictsBehind(ctx, q.jobs, verdicts)
		if err != nil {
			return nil, err
		}
		r.Rows = append(r.Rows, row)
		r.Checks = append(r.Checks, report.AtMost(fmt.Sprintf("ms of CPU a verdict behind %d jobs, p99", q.jobs), worst, q.bound))
	}
	return r, nil
}

func verdictsBehind(ctx context.Context, jobs, verdicts int) (report.Row, float64, error) {
	w, err := newWaiting(jobs)
	if err != nil {
		return nil, 0, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var took, wall, naive []time.Duration
	for i := range verdicts {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		w.second()
		w.submit(i)
		var events []subjects.Event
		start := time.Now()
		took = append(took, threadTime(func() { events = w.decide() }))
		wall = append(wall, time.Since(start))
		if len(events) != 2 {
			return nil, 0, fmt.Errorf("verdict %d did not come: %d events", i, len(events))
		}
		for _, e := range events {
			w.echo(e)
		}
		if i < 5 {
			again, err := w.again()
			if err != nil {
				return nil, 0, err
			}
			naive = append(naive, again)
		}
	}
	worst := stat.Milliseconds(stat.Nearest(took, 0.99))
	return report.Row{
		{Key: "queued_jobs", Value: jobs}, {Key: "slots", Value: waitingHosts * slotsPerHost},
		{Key: "p50_ms", Value: stat.Milliseconds(stat.Nearest(took, 0.5))}, {Key: "p99_ms", Value: worst},
		{Key: "wall_p50_ms", Value: stat.Milliseconds(stat.Nearest(wall, 0.5))}, {Key: "wall_p99_ms", Value: stat.Milliseconds(stat.Nearest(wall, 0.99))},
		{Key: "naive_ms", Value: stat.Milliseconds(stat.Nearest(naive, 0.5))},
	}, worst, nil
}

// waitingHosts is the number of hosts. Together they have 1,600 slots.
const waitingHosts = 100

// waiting drives an admission actor without a bus, with a queue of admitted jobs that wait.
type waiting struct {
	actor *admission.Actor
	rng   *rand.Rand
	seq   uint64
	inbox uint64
	now   time.Time
	idle  []float64
	runs  []subjects.Event // the events with which the running tasks will end, in order
}

func newWaiting(jobs int) (*waiting, error) {
	actor, err := admission.New(admission.Config{})
	if err != nil {
		return nil, err
	}
	w := &waiting{actor: actor, rng: rand.New(rand.NewPCG(1, 1)), now: time.Unix(1_700_000_000, 0), idle: make([]float64, waitingHosts)}
	w.echo(&subjects.Led{Actor: admission.Name, Partition: subjects.WholePool})
	for i := range w.idle {
		w.idle[i] = slotsPerHost * float64(1+i%20) / 20
		w.echo(&subjects.Joined{Host: hostName(i), Cores: slotsPerHost, Slots: slotsPerHost, Memory: 64 << 30, Labels: []string{}})
	}
	for i := range types {
		w.echo(curve(i))
	}
	for i := range jobs {
		w.promise(i)
	}
	for i := range waitingHosts * slotsPerHost / 2 {
		w.assign(i, jobs)
	}
	w.second()
	w.now = w.now.Add(20 * time.Second) // telemetry for long enough to reject
	w.second()
	return w, nil
}

func hostName(i int) string { return fmt.Sprintf("host-%d", i) }

func (w *waiting) echo(e subjects.Event) {
	w.seq++
	w.actor.Step(actors.Input{Now: w.now, Entry: &actors.Entry{Seq: w.seq, Time: w.now, Event: e}})
}

// promise queues an admitted job of up to 50 tasks. Its deadline is so late that the job can keep it.
func (w *waiting) promise(i int) {
	job := fmt.Sprintf("job-%d", i)
	deadline := w.now.Add(1000*time.Hour + time.Duration(w.rng.IntN(1e9))*time.Microsecond).UnixNano()
	w.echo(&subjects.Submitted{Job: job, At: w.now.UnixNano(), Deadline: deadline, Spec: spec.Job{
		Name: job, Type: jobType(i % types), Stages: []spec.Stage{waitingStage(uint32(1 + i%50))},
	}})
	w.echo(&subjects.Admitted{Job: job, Finish: deadline, Mode: subjects.ModeAffected, Service: 1})
}

func waitingStage(tasks uint32) spec.Stage {
	return spec.Stage{Name: "work", Argv: []string{"/bin/true"}, Tasks: tasks, CPU: 1, Memory: 64 << 20, Retries: 3, Backoff: time.Second}
}

// assign gives a slot the i-th task in turn over all jobs, and prepares the event of that task's end.
func (w *waiting) assign(i, jobs int) {
	job, host := fmt.Sprintf("job-%d", i%jobs), i%waitingHosts
	task := subjects.TaskID{Task: uint32(i / jobs)}
	term := w.actor.State().Host(hostName(host)).Term
	w.echo(&subjects.Assigned{Host: hostName(host), Job: job, TaskID: task, Term: term, Slot: uint32(i / waitingHosts), Width: 1})
	w.runs = append(w.runs, &subjects.Finished{
		Host: hostName(host), Job: job, Fact: subjects.Fact{TaskID: task, Term: term, Attempt: w.seq}, Run: subjects.Run{Seconds: 10, Residual: 0.5},
	})
}

// second advances time by one second: every host reports its idle cores, and up to ten tasks finish.
func (w *waiting) second() {
	w.now = w.now.Add(time.Second)
	for i := range w.idle {
		w.idle[i] = min(max(w.idle[i]+w.rng.NormFloat64()/4, 0.5), slotsPerHost)
		w.actor.Step(actors.Input{Now: w.now, Sample: &subjects.Usage{Host: hostName(i), Idle: w.idle[i]}})
	}
	for range min(10, len(w.runs)/2) {
		w.echo(w.runs[0])
		w.runs = w.runs[1:]
	}
}

func (w *waiting) submit(i int) {
	doc := map[string]any{
		"name": "new", "type": jobType(i % types), "deadline": "1500h",
		"stages": []any{map[string]any{"name": "work", "command": []string{"true"}, "tasks": 1 + i%50}},
	}
	body, err := json.Marshal(doc)
	if err != nil {
		panic(err) // cannot happen: the map has only texts and numbers
	}
	w.inbox++
	w.actor.Step(actors.Input{Now: w.now, Request: &actors.Request{
		Seq: w.inbox, Time: w.now, Subject: subjects.DefaultPool.Submit(), Body: body,
	}})
}

// decide makes admission decide once.
func (w *waiting) decide() []subjects.Event {
	return w.actor.Step(actors.Input{Now: w.now, Decide: true}).Events
}

// threadTime returns the CPU time that f takes. The caller has locked its goroutine to a thread.
func threadTime(f func()) time.Duration {
	before := threadUsed()
	f()
	return threadUsed() - before
}

func threadUsed() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err) // cannot happen: every Linux has this clock
	}
	return time.Duration(t.Nano())
}

// again returns the CPU time of the first verdict after a restart, for which admission has to compute all
// predictions anew.
func (w *waiting) again() (time.Duration, error) {
	body, err := w.actor.Snapshot()
	if err != nil {
		return 0, err
	}
	fresh, err := admission.New(admission.Config{})
	if err != nil {
		return 0, err
	}
	other := &waiting{actor: fresh, rng: rand.New(rand.NewPCG(2, 2)), seq: w.seq, inbox: w.inbox, now: w.now, idle: append([]float64{}, w.idle...)}
	if err := fresh.Restore(body); err != nil {
		return 0, err
	}
	other.second()
	other.submit(0)
	return threadTime(func() { other.decide() }), nil
}
