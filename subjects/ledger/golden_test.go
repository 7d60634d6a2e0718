package ledger

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
	golden "lull/test/script"
)

// Scripts are logs: each command is an event, a second later than the one before, and prints
// what it changed.
func TestScripts(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T) golden.Command { return (&tale{t: t, s: New()}).command })
}

// tale is a log that is being written.
type tale struct {
	t   *testing.T
	s   *State
	now int64
}

func (l *tale) command(verb string, a golden.Args) string {
	switch verb {
	case "log":
		l.s, l.now = New(), 0
		return ""
	case "pass":
		l.now += int64(a.Span("for").Seconds())
		return ""
	case "tasks":
		return l.tasks(a.Name())
	case "awaits":
		return l.awaits(a.Name())
	case "slots":
		return l.slots(a.Name())
	}
	e := l.event(verb, a)
	if e == nil {
		l.t.Fatalf("command %q: want a kind of event", verb)
	}
	l.now++
	seq := l.s.Seq + 1
	return fmt.Sprintf("%d %s\n", seq, tellChange(l.s.Apply(seq, time.Unix(l.now, 0), e)))
}

// event is what a command says. Attempts are named by their sequence.
func (l *tale) event(verb string, a golden.Args) subjects.Event {
	switch verb {
	case "host":
		return &subjects.Joined{Host: a.Name(), Slots: uint32(a.Number("slots", 2)), Memory: 100}
	case "lost":
		return &subjects.Lost{Host: a.Name(), Term: l.s.Host(a.Name()).Term}
	case "submit":
		return &subjects.Submitted{Job: a.Name(), Spec: l.spec(a)}
	case "admit":
		return &subjects.Admitted{Job: a.Name()}
	case "cancel":
		return &subjects.Cancelled{Job: a.Name()}
	case "retry":
		return &subjects.Retried{Job: a.Name()}
	case "failed":
		return &subjects.JobFailed{Job: a.Name()}
	case "reject":
		return &subjects.Rejected{Job: a.Name()}
	case "finished":
		return &subjects.JobFinished{Job: a.Name()}
	case "assign":
		return l.assign(a)
	}
	return l.fact(verb, a)
}

func (l *tale) spec(a golden.Args) spec.Job {
	job := spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{
		{Name: "one", Argv: []string{"true"}, Tasks: uint32(a.Number("tasks", 1)), CPU: uint32(a.Number("cpu", 1)), Part: uint32(a.Number("part", 0)), Memory: 1, Retries: uint32(a.Number("retries", 1)), Backoff: time.Second},
	}}
	for text := range strings.FieldsFuncSeq(a.Get("after", ""), func(r rune) bool { return r == ',' }) {
		after, err := spec.ParseAfterJob(text)
		if err != nil {
			l.t.Fatal(err)
		}
		job.AfterJobs = append(job.AfterJobs, after)
	}
	if n := uint32(a.Number("then", 0)); n > 0 {
		job.Stages = append(job.Stages, spec.Stage{Name: "two", Argv: []string{"true"}, Tasks: n, CPU: 1, Memory: 1, From: []spec.From{{Stage: 0}}})
	}
	return job
}

func (l *tale) assign(a golden.Args) subjects.Event {
	h := l.s.Host(a.Get("to", ""))
	return &subjects.Assigned{
		Host: h.Name, Term: h.Term, Job: a.Name(), Slot: uint32(a.Number("slot", 0)), Width: uint32(a.Number("width", 1)), Part: uint32(a.Number("part", 0)), Try: 1, Rival: a.Has("rival"),
		TaskID: subjects.TaskID{Stage: uint32(a.Number("stage", 0)), Task: uint32(a.Number("task", 0))},
	}
}

// fact is what a host says of an attempt. What the ledger knows no more was of job j on host h.
func (l *tale) fact(verb string, a golden.Args) subjects.Event {
	id, _ := strconv.ParseUint(a.Name(), 10, 64)
	host, job, f := "h", "j", subjects.Fact{Attempt: id, Term: uint64(a.Number("term", 1))}
	if at := l.s.Attempt(id); at != nil {
		host, job, f.TaskID, f.Term = at.Host.Name, at.Job.ID, at.Task, uint64(a.Number("term", float64(at.Host.Term)))
	}
	switch verb {
	case "start":
		return &subjects.Started{Host: host, Job: job, Fact: f}
	case "finish":
		return &subjects.Finished{Host: host, Job: job, Fact: f}
	case "fail":
		return &subjects.Failed{Host: host, Job: job, Fact: f, Reason: subjects.ReasonExit}
	case "evict":
		return &subjects.Evicted{Host: host, Job: job, Fact: f, Reason: subjects.ReasonReserve}
	case "decline":
		return &subjects.Declined{Host: host, Job: job, Fact: f, Reason: subjects.ReasonSlot}
	case "revoke":
		return &subjects.Revoked{Host: host, Job: job, Attempt: id}
	}
	return nil
}

// tellChange describes a change.
func tellChange(c Change) string {
	if c.Outcome == Void {
		return "void: " + c.Why
	}
	words := []string{map[Outcome]string{Accepted: "accepted", Committed: "committed"}[c.Outcome]}
	if c.Job != nil && c.Before != c.After {
		words = append(words, fmt.Sprintf("job %s %v, was %v", c.Job.ID, c.After, c.Before))
	}
	if a := c.Attempt; a != nil {
		words = append(words, fmt.Sprintf("attempt %d", a.ID))
	}
	for _, j := range c.Released {
		words = append(words, j.ID+" may run")
	}
	if c.Held {
		words = append(words, "held its task")
	}
	if c.Ended {
		words = append(words, "ended")
	}
	if c.Beside != nil {
		words = append(words, fmt.Sprintf("beside %d", c.Beside.ID))
	}
	return strings.Join(words, ", ")
}

// awaits says which jobs a job waits for, after a restart.
func (l *tale) awaits(job string) string {
	body, err := l.s.Snapshot()
	if err == nil {
		l.s = New()
		err = l.s.Restore(body)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	j := l.s.Job(job)
	return strings.TrimSpace(fmt.Sprintf("%v %s", j.Awaiting.Jobs(), j.Awaiting.Unmet())) + fmt.Sprintf(", %d in all can never run\n", l.s.Followers.Unmet().Len())
}

// slots says what is taken of each slot, and by which attempt first.
func (l *tale) slots(host string) string {
	h, words := l.s.Host(host), []string{}
	for i, id := range h.Places() {
		words = append(words, fmt.Sprintf("%d: %v of attempt %d", i, h.UsedCores(uint32(i)), id))
	}
	return fmt.Sprintf("%s, %v in all\n", strings.Join(words, ", "), h.Load())
}

func (l *tale) tasks(job string) string {
	var out strings.Builder
	for i, st := range l.s.Job(job).Stages {
		fmt.Fprintf(&out, "stage %d: %d waiting, %d held, %d done, %d dead\n", i, st.Waiting(), st.Held, st.Done, st.Dead)
	}
	return out.String()
}
