package pure

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/placer"
	"lull/placer/choice"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/report"
)

// The pool of placerShare: jobs a minute, each with maps and reduces; hosts of a rack.
const (
	jobsAMinute           = 100
	mapTasks, reduceTasks = 160, 80
	hostsOfRack           = 40
)

// leadingPlacer is a placer that leads, without a bus.
type leadingPlacer struct {
	actor *placer.Actor
	now   time.Time
	seq   uint64
	term  uint64
	terms []uint64 // of hosts

	samples, folds, searches time.Duration
	placed                   int
}

// placerShare adds what a placer takes of a core.
func placerShare(r *report.Report, hosts int, quick bool) error {
	l := &leadingPlacer{actor: placer.New(placer.Config{}), now: epoch}
	l.begin(hosts)
	seconds := 60
	if quick {
		seconds = 6
	}
	job := 0
	for at := range seconds {
		l.now = l.now.Add(time.Second)
		l.sendUsage(hosts)
		for ; job < (at+1)*jobsAMinute/60; job++ {
			if err := l.run(fmt.Sprintf("job-%05d", job), hosts); err != nil {
				return err
			}
		}
	}
	if l.placed != job {
		return fmt.Errorf("%d of %d jobs were placed", l.placed, job)
	}
	share := func(d time.Duration) float64 { return 100 * d.Seconds() / float64(seconds) }
	all := share(l.samples + l.folds + l.searches)
	r.Rows = append(r.Rows, report.Row{
		{Key: "hosts", Value: hosts}, {Key: "jobs_a_minute", Value: jobsAMinute}, {Key: "tasks_a_job", Value: mapTasks + reduceTasks},
		{Key: "usage_%", Value: share(l.samples)}, {Key: "log_%", Value: share(l.folds)}, {Key: "choices_%", Value: share(l.searches)},
		{Key: "of_a_core_%", Value: all}, {Key: "a_choice_ms", Value: l.searches.Seconds() * 1000 / float64(job)},
	})
	r.Checks = append(r.Checks, report.AtMost(fmt.Sprintf("%% of a core that a placer takes of %d hosts and %d jobs a minute", hosts, jobsAMinute), all, 30))
	r.Notes = append(r.Notes, "The placer alone, without a bus: usage once a second from each host, all events of the jobs' tasks. Decoding of messages is not in it.")
	return nil
}

// step hands the actor an input, and the time that it takes to one of the sums.
func (l *leadingPlacer) step(to *time.Duration, in actors.Input) (out actors.Output) {
	in.Now, in.Term = l.now, l.term
	*to += threadTime(func() { out = l.actor.Step(in) })
	return out
}

// fold folds events.
func (l *leadingPlacer) fold(events ...subjects.Event) {
	for _, e := range events {
		l.seq++
		l.step(&l.folds, actors.Input{Entry: &actors.Entry{Seq: l.seq, Time: l.now, Event: e}})
	}
}

func hostOf(i int) string { return fmt.Sprintf("host-%05d", i) }

// begin makes a pool whose racks have uplinks of 2 to 10 Gbit/s.
func (l *leadingPlacer) begin(hosts int) {
	wired := &subjects.Wired{}
	for r := range (hosts + hostsOfRack - 1) / hostsOfRack {
		up := float64(2+r*3%9) * 1e9 / 8
		wired.Racks = append(wired.Racks, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: fmt.Sprintf("rack-%03d", r), Up: up, Down: up}})
	}
	l.fold(wired, &subjects.Led{Actor: placer.Name, Instance: "bench"})
	l.term = l.seq
	for i := range hosts {
		l.fold(&subjects.Joined{Host: hostOf(i), Cores: 8, Slots: 8, Memory: 1 << 35, Boot: "b", Instance: "i", Labels: []string{fmt.Sprintf("rack=rack-%03d", i/hostsOfRack)}})
		l.terms = append(l.terms, l.seq)
	}
	for range 3 {
		l.now = l.now.Add(time.Second)
		l.sendUsage(hosts)
	}
	l.samples, l.folds = 0, 0
}

// sendUsage passes on each host's usage.
func (l *leadingPlacer) sendUsage(hosts int) {
	for i := range hosts {
		u := &subjects.Usage{Host: hostOf(i), At: l.now.UnixNano(), Cores: 8, Primary: float64(i % 7), Idle: 8 - float64(i%7), NetIn: float64(i%11) * 1e6, NetOut: float64(i%13) * 1e6}
		l.step(&l.samples, actors.Input{Sample: u})
	}
}

// run submits a job, has it placed, and folds what becomes of its tasks.
func (l *leadingPlacer) run(id string, hosts int) error {
	at := len(l.terms) // the log places are unlike
	l.fold(&subjects.Submitted{Job: id, Spec: shuffling(), Client: "ann@laptop", Inbox: l.seq + 1, At: l.now.UnixNano()}, &subjects.Admitted{Job: id, Mode: subjects.ModeAffected})
	out := l.step(&l.searches, actors.Input{Decide: true})
	if len(out.Actions) != 1 {
		return fmt.Errorf("job %s: the placer does nothing", id)
	}
	search, ok := out.Actions[0].(placer.Search)
	if !ok {
		return errors.New("the placer does not search")
	}
	var found placer.Searched
	l.searches += threadTime(func() { found = placer.Perform(search, choice.InTurn) })
	out = l.step(&l.searches, actors.Input{Report: found, Decide: true})
	if len(out.Events) != 1 {
		return fmt.Errorf("job %s: the placer says nothing: %w", id, found.Err)
	}
	l.fold(out.Events...)
	if p, ok := out.Events[0].(*subjects.Placed); ok && len(p.Hosts) > 0 {
		l.placed++
	}
	for stage, n := range []int{mapTasks, reduceTasks} {
		for task := range n {
			host := (at*7919 + int(l.seq)*31 + task) % hosts
			l.task(id, subjects.TaskID{Stage: uint32(stage), Task: uint32(task)}, host)
		}
	}
	l.fold(&subjects.JobFinished{Job: id})
	return nil
}

func (l *leadingPlacer) task(id string, task subjects.TaskID, host int) {
	term := l.terms[host]
	l.fold(&subjects.Assigned{Host: hostOf(host), Job: id, TaskID: task, Term: term, Width: 1})
	fact := subjects.Fact{Term: term, Attempt: l.seq, TaskID: task}
	l.fold(&subjects.Started{Host: hostOf(host), Job: id, Fact: fact},
		&subjects.Finished{Host: hostOf(host), Job: id, Fact: fact, Files: 1, Manifest: subjects.Digest{1}, Run: subjects.Run{Seconds: 10, Out: 64e6, In: 64e6}})
}

// shuffling is a job that moves data.
func shuffling() spec.Job {
	job := spec.Job{Name: "sort", Type: "sort"}
	job.Stages = []spec.Stage{
		{Name: "map", Tasks: mapTasks, Partitions: reduceTasks, CPU: 1, Memory: 1 << 30, Bytes: 64e6, Gives: 1, Estimate: 2 * time.Second},
		{Name: "reduce", Tasks: reduceTasks, CPU: 1, Memory: 1 << 30, Gives: 1, Estimate: 5 * time.Second, From: []spec.From{{Stage: 0, Partition: true}}},
	}
	for i := range job.Stages {
		job.Stages[i].Argv = []string{"sort"}
	}
	return job
}
