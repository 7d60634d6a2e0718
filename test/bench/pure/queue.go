package pure

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	"lull/actors"
	"lull/actors/collector"
	"lull/admission"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// Queue measures the cost of a long queue to the services that fold the log: each alone,
// without a bus, with queued jobs of one task.
var Queue = tables.Table{Name: "queue", What: "memory and time of each service for long queues and large jobs", Run: queue}

func queue(ctx context.Context, quick bool) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"Actors alone, without a bus: entries are folded as fast as they come. An end is the fold of JobFinished.",
		"alike: jobs of one document; unlike: each has a name and an argument of its own. Restart is from a snapshot's bytes",
		"to the first verdict. A verdict is a submission's message, its decision and the fold of both events.",
	}}
	runtime.LockOSThread() // ends and tasks are counted in CPU time of the thread
	defer runtime.UnlockOSThread()
	sizes, large := []int{10_000, 100_000, 1_000_000}, 1_000_000
	if quick {
		sizes, large = []int{1000, 10_000}, 10_000
	}
	for _, n := range sizes {
		for _, alike := range []bool{true, false} {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err := queued(r, n, alike); err != nil {
				return nil, err
			}
		}
	}
	return r, largeJob(ctx, r, large)
}

// reader is a service that folds the log.
type reader struct {
	name string
	fold func(actors.Entry)
	of   any // its state
}

func readers() ([]*reader, *admission.Actor, *slotter.Actor, error) {
	state := ledger.New()
	admits, err := admission.New(admission.Config{})
	if err != nil {
		return nil, nil, nil, err
	}
	slots, err := slotter.New(slotter.Config{})
	if err != nil {
		return nil, nil, nil, err
	}
	return []*reader{
		{"ledger", func(e actors.Entry) { state.Apply(e.Seq, e.Time, e.Event) }, state},
		{"admission", func(e actors.Entry) { admits.Step(actors.Input{Now: e.Time, Entry: &e}) }, admits},
		{"slotter", func(e actors.Entry) { slots.Step(actors.Input{Now: e.Time, Entry: &e}) }, slots},
	}, admits, slots, nil
}

// epoch is the time at which the log begins.
var epoch = time.Unix(1_700_000_000, 0)

// say folds events with the same time.
func (f *reader) say(seq *uint64, events ...subjects.Event) {
	for _, e := range events {
		*seq++
		f.fold(actors.Entry{Seq: *seq, Time: epoch, Event: e})
	}
}

func queued(r *report.Report, n int, alike bool) error {
	all, admits, _, err := readers()
	if err != nil {
		return err
	}
	row := report.Row{{Key: "queued_jobs", Value: n}, {Key: "alike", Value: alike}}
	for _, f := range all {
		bytes, end := f.queued(n, alike)
		row = append(row, report.Cell{Key: f.name + "_B", Value: bytes}, report.Cell{Key: f.name + "_end_us", Value: end})
		of := fmt.Sprintf(" behind %d jobs, alike: %v", n, alike)
		r.Checks = append(r.Checks, report.AtMost("bytes a queued job in the "+f.name+of, bytes, 1024), report.AtMost("µs of a job's end in the "+f.name+of, end, 20))
	}
	page, rate := firstPage(admits), verdictRate(admits, 20, 100)
	body, err := admits.Snapshot()
	if err != nil {
		return err
	}
	clear(all) // a restarted process holds no other state
	runtime.GC()
	restart, err := restarted(body)
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, append(row, report.Cell{Key: "page_ms", Value: stat.Milliseconds(page)}, report.Cell{Key: "verdicts_per_s", Value: rate}, report.Cell{Key: "restart_s", Value: restart.Seconds()}))
	of := fmt.Sprintf(" behind %d jobs, alike: %v", n, alike)
	r.Checks = append(r.Checks, report.AtMost("s to answer the first page of lull jobs"+of, page.Seconds(), 0.5),
		report.AtLeast("verdicts/s of admission"+of, rate, 1500), report.AtMost("s from a restart to the first verdict"+of, restart.Seconds(), 3))
	return nil
}

// queued fills the service and ends a hundred jobs, spread over the queue. It returns the
// bytes of a job and the µs of an end.
func (f *reader) queued(n int, alike bool) (bytes, end float64) {
	seq, before := uint64(0), liveHeap()
	f.say(&seq, &subjects.Joined{Host: "host-0", Cores: 2, Slots: 2, Memory: 1 << 40, Boot: "b", Instance: "i"})
	term := seq
	for i := range n {
		f.say(&seq, submitted(i, alike), &subjects.Admitted{Job: queuedID(i), Mode: subjects.ModeAffected, Why: "it waits for CPU"})
	}
	bytes = float64(liveHeap()-before) / float64(n)
	const ends = 100
	took := time.Duration(0)
	for i := range ends {
		job := queuedID(i * (n / ends))
		f.say(&seq, &subjects.Assigned{Host: "host-0", Job: job, Term: term, Width: 1})
		f.say(&seq, &subjects.Finished{Host: "host-0", Job: job, Fact: subjects.Fact{Term: term, Attempt: seq}, Run: subjects.Run{Seconds: 1}})
		took += threadTime(func() { f.say(&seq, &subjects.JobFinished{Job: job}) })
	}
	runtime.KeepAlive(f.of)
	return bytes, float64(took.Nanoseconds()) / 1e3 / ends
}

func queuedID(i int) string { return fmt.Sprintf("night-%010d", i) }

func submitted(i int, alike bool) *subjects.Submitted {
	job := spec.Job{Name: "night", Type: "night", Stages: []spec.Stage{waitingStage(1)}}
	job.Stages[0].Argv = []string{"sh", "-c", "./simulate --seed 1"}
	if !alike {
		job.Name = fmt.Sprintf("night-%d", i)
		job.Stages[0].Argv = []string{"sh", "-c", fmt.Sprintf("./simulate --seed %d", i)}
	}
	return &subjects.Submitted{Job: queuedID(i), Spec: job, Client: "ann@laptop", Inbox: uint64(i + 1), At: epoch.UnixNano()}
}

func liveHeap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func firstPage(a *admission.Actor) time.Duration {
	body, err := subjects.Marshal(&subjects.JobsAsk{Limit: 100})
	if err != nil {
		panic(err) // a number
	}
	start := time.Now()
	a.Answer(subjects.AskJobs, body)
	return time.Since(start)
}

// verdictRate submits batches of jobs and returns the verdicts per second.
func verdictRate(a *admission.Actor, batches, batch int) float64 {
	before := a.State().LiveJobs().Len()
	seq, inbox := a.State().Seq, a.State().Inbox
	now := epoch.Add(time.Hour)
	start := time.Now()
	for range batches {
		now = now.Add(time.Second)
		a.Step(actors.Input{Now: now, Sample: &subjects.Usage{Host: "host-0", Idle: 2}})
		for range batch {
			inbox++
			a.Step(actors.Input{Now: now, Request: &actors.Request{Seq: inbox, Time: now, Subject: subjects.DefaultPool.Submit(), Body: document(inbox)}})
		}
		for _, e := range a.Step(actors.Input{Now: now, Decide: true}).Events {
			seq++
			a.Step(actors.Input{Now: now, Entry: &actors.Entry{Seq: seq, Time: now, Event: e}})
		}
	}
	return float64(a.State().LiveJobs().Len()-before) / time.Since(start).Seconds()
}

func document(i uint64) []byte {
	body, err := json.Marshal(map[string]any{"name": "more", "stages": []any{map[string]any{
		"name": "work", "command": []string{"sh", "-c", fmt.Sprint("./simulate --seed ", i)}, "tasks": 1}}})
	if err != nil {
		panic(err) // a map of texts and numbers
	}
	return body
}

// restarted returns the time from reading a snapshot's bytes to the first verdict.
func restarted(body []byte) (time.Duration, error) {
	fresh, err := admission.New(admission.Config{})
	if err != nil {
		return 0, err
	}
	start := time.Now()
	end := collector.Pause() // as the shell does
	err = fresh.Restore(body)
	if end(); err != nil {
		return 0, err
	}
	if verdictRate(fresh, 1, 1) <= 0 {
		return 0, fmt.Errorf("no verdict came after the restart")
	}
	return time.Since(start), nil
}

// largeJob runs a job of many tasks through the slotter, decisions included, and
// compares the last tenth's pace with the first's.
func largeJob(ctx context.Context, r *report.Report, tasks int) error {
	_, _, slots, err := readers()
	if err != nil {
		return err
	}
	s := &synthetic{actor: slots, now: epoch}
	s.join(19) // all idle
	s.admit(0, tasks)
	var marks []time.Duration
	for done := 0; done < tasks; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if done*10/tasks >= len(marks) {
			marks = append(marks, threadUsed())
		}
		s.echo(s.step(actors.Input{Decide: true}).Events)
		if len(slots.State().Hosts()[0].Attempts()) == 0 {
			return fmt.Errorf("nothing runs after %d of %d tasks", done, tasks)
		}
		for _, at := range append([]*ledger.Attempt{}, slots.State().Hosts()[0].Attempts()...) {
			s.echo([]subjects.Event{&subjects.Finished{Host: at.Host.Name, Job: at.Job.ID,
				Fact: subjects.Fact{TaskID: at.Task, Term: at.Host.Term, Attempt: at.ID}, Run: subjects.Run{Seconds: 1, Residual: 1}}})
			done++
		}
	}
	marks = append(marks, threadUsed())
	last := len(marks) - 1
	pace := float64(marks[1]-marks[0]) / float64(marks[last]-marks[last-1])
	r.Rows = append(r.Rows, report.Row{{Key: "tasks_of_a_job", Value: tasks}, {Key: "tasks_per_s", Value: float64(tasks) / (marks[last] - marks[0]).Seconds()}, {Key: "last_tenth_over_first", Value: pace}})
	r.Checks = append(r.Checks, report.AtLeast(fmt.Sprintf("pace of the last tenth of %d tasks over the first's", tasks), pace, 0.8))
	return nil
}
