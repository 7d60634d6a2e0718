package page

import (
	"slices"
	"strings"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// detailAlike bounds the ids that an answer names.
const detailAlike = 4

// Job answers a question for one job. cpu is what the hosts use now.
func Job(s *ledger.State, ask *subjects.JobAsk, cpu subjects.CPUSum) *subjects.JobAnswer {
	answer := &subjects.JobAnswer{Folded: subjects.Folded{Seq: s.Seq}}
	found := jobsNamed(s, ask.Job)
	if len(found) == 1 {
		answer.Job = Detail(s, found[0], cpu)
		return answer
	}
	for _, j := range found {
		answer.Alike = append(answer.Alike, j.ID)
	}
	return answer
}

// jobsNamed returns the job with an id, or some of the jobs with ids that have it as a prefix, the
// newest first. The empty text names no job, though it is a prefix of all.
func jobsNamed(s *ledger.State, id string) (found []*ledger.Job) {
	if j := s.Job(id); j != nil {
		return []*ledger.Job{j}
	}
	if id == "" {
		return nil
	}
	for j := range s.Jobs().Backward() {
		if strings.HasPrefix(j.ID, id) {
			found = append(found, j)
		}
		if len(found) == detailAlike {
			break
		}
	}
	return found
}

// Detail is a job as it is shown to people. cpu is what the hosts use now.
func Detail(s *ledger.State, j *ledger.Job, cpu subjects.CPUSum) *subjects.JobDetail {
	d := &subjects.JobDetail{JobLine: jobLine(s, j), By: j.By, Pool: poolOf(s, j)}
	d.Pool.CPU = cpu
	if dead, found := j.Dead(); found {
		d.Dead = &dead
	}
	if !j.Phase.Ended() {
		d.Awaits, d.Unmet = awaitLines(s, j), j.Awaiting.Unmet()
	}
	argv := j.Spec().Stages
	for i := range j.Stages {
		d.Stages = append(d.Stages, stageLine(j, i, argv[i].Argv))
		d.Kept = d.Kept || j.Phase == ledger.Finished && wroteFile(s, j, i)
		d.Empty = d.Empty || j.Phase == ledger.Finished && j.Shape.Stages[i].Publish && !foundInput(s, j, i)
	}
	return d
}

// awaitLines are the jobs that a job waits for.
func awaitLines(s *ledger.State, j *ledger.Job) (lines []subjects.AwaitLine) {
	for _, a := range j.Awaiting.Jobs() {
		line := subjects.AwaitLine{Job: a.Job, On: a.On}
		if before := s.Job(a.Job); before != nil {
			line.Finish = before.Finish
		}
		lines = append(lines, line)
	}
	return lines
}

func stageLine(j *ledger.Job, i int, argv []string) subjects.StageLine {
	st, shape := j.Stages[i], &j.Shape.Stages[i]
	line := subjects.StageLine{
		Name: shape.Name, State: j.StageState(i).String(), Command: argv,
		Tasks: uint32(st.Len()), Waiting: uint32(st.Waiting()), Running: uint32(st.Held), Done: uint32(st.Done), Dead: uint32(st.Dead), Cancelled: uint32(st.Dropped),
		Evicted: st.Evicted, Failed: st.Failed, Partitions: shape.Partitions, CPU: shape.CPU, Part: shape.Part, Memory: shape.Memory,
	}
	if j.Phase.Ended() {
		line.Running = 0 // their hosts have read that it is over
	}
	for on := range shape.Predecessors() {
		if !j.Over(on) {
			line.WaitsFor = append(line.WaitsFor, j.Shape.Stages[on].Name)
		}
	}
	return line
}

// foundInput reports whether a stage found any file in what it reads.
func foundInput(s *ledger.State, j *ledger.Job, stage int) bool {
	return slices.ContainsFunc(j.Shape.Stages[stage].From, func(f spec.From) bool { return wroteFile(s, j, int(f.Stage)) })
}

// wroteFile reports whether a task of a stage wrote a file.
func wroteFile(s *ledger.State, j *ledger.Job, stage int) bool {
	for range s.Outputs(j, stage) {
		return true
	}
	return false
}

// poolOf is what the pool offers a job.
func poolOf(s *ledger.State, j *ledger.Job) subjects.JobPool {
	p := subjects.JobPool{Paused: s.Paused, PausedBy: s.PausedBy, Frozen: true}
	for _, h := range s.Hosts() {
		if !h.Gone {
			p.Up++
		}
		if h.Open() {
			p.Open++
			addHostSlots(h, &p)
		}
		p.Frozen = p.Frozen && (h.Paused || !slices.ContainsFunc(h.Attempts(), func(a *ledger.Attempt) bool { return a.Job == j }))
	}
	if q, _ := s.Queue(j.Shape.Share()); q.Jobs > 0 {
		p.AtOnce, p.Before = q.Jobs, jobsBefore(s, j, q.Name)
	}
	return p
}

// addHostSlots adds a host's slots and those in use to p. It sets p.Next to when the first of them is predicted
// to be free: its task's start plus the time predicted at its assignment.
func addHostSlots(h *ledger.Host, p *subjects.JobPool) {
	p.Slots += h.Joined.Slots
	for _, a := range h.Attempts() {
		if a.Slot >= h.Joined.Slots {
			continue // in a place ahead
		}
		p.Busy += h.PlacesOf(a)
		if a.Why.Expected <= 0 || a.Started == 0 {
			continue
		}
		if end := a.Started + int64(min(a.Why.Expected, 1e9)*1e9); p.Next == 0 || end < p.Next {
			p.Next = end
		}
	}
}

// jobsBefore counts the live jobs of a queue that were submitted before a job.
func jobsBefore(s *ledger.State, j *ledger.Job, queue string) (n uint32) {
	for other := range s.LiveJobs().All() {
		if other.Seq >= j.Seq {
			break
		}
		if other.Live() && other.Awaiting == nil && other.Shape.Share() == queue {
			n++
		}
	}
	return n
}
