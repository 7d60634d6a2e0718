package admission

import (
	"testing"
	"time"

	"lull/subjects"
)

// predicted is how long the job is predicted to take from now.
func (p *driver) predicted(job string) time.Duration {
	p.tb.Helper()
	var answer subjects.JobsAnswer
	body, err := subjects.Marshal(&subjects.JobsAsk{Job: job, Whole: true})
	if err != nil {
		p.tb.Fatal(err)
	}
	if err := subjects.Unmarshal(p.a.Answer(subjects.AskJobs, body), &answer); err != nil || len(answer.Jobs) != 1 {
		p.tb.Fatalf("%+v: %v", answer, err)
	}
	return time.Unix(0, answer.Jobs[0].Finish).Sub(p.now)
}

// ran runs a task of the job's first stage to its end on the first host.
func (p *driver) ran(job string, task uint32, took time.Duration) {
	at, host := subjects.TaskID{Task: task}, p.a.facts.Ledger.Hosts()[0]
	p.say(&subjects.Assigned{Host: host.Name, Job: job, TaskID: at, Term: host.Term, Width: 1, Try: 1})
	p.now = p.now.Add(took)
	p.say(&subjects.Finished{
		Host: host.Name, Job: job, Fact: subjects.Fact{TaskID: at, Term: host.Term, Attempt: p.seq},
		Run: subjects.Run{Seconds: took.Seconds(), Residual: 1},
	})
	p.use(host.Name, 4)
}

func TestTheFirstEndsOfAJobReplaceTheGuess(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(40, "").Job // 10 waves of 10 s, as the document guesses
	if got := p.predicted(id); got < 90*time.Second || got > 110*time.Second {
		t.Fatalf("predicted %v before any task ended, want 90s to 110s", got)
	}
	p.ran(id, 0, 100*time.Millisecond)
	p.ran(id, 1, 100*time.Millisecond)
	if got := p.predicted(id); got < 900*time.Millisecond || got > 1100*time.Millisecond {
		t.Errorf("predicted %v after two tasks of 0.1 s, with 38 left on 4 slots, want 0.9s to 1.1s", got)
	}
}

// A model of many runs is not thrown away for one task that differs.
func TestAModelYieldsToAJobsOwnTasksByAndBy(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.say(&subjects.Fitted{Type: "job", A: 10, B: 0, Samples: 100, Low: 0.9, High: 1})
	id := p.submit(400, "").Job
	name := p.a.facts.Ledger.Job(id).Shape.Model(0)
	p.say(&subjects.Fitted{Type: name, A: 10, Samples: 100, Low: 0.9, High: 1})
	p.now = p.now.Add(time.Second)
	before := p.predicted(id)
	p.ran(id, 0, 30*time.Second)
	first := p.predicted(id)
	for task := range uint32(40) {
		p.ran(id, task+1, 30*time.Second)
	}
	last := p.predicted(id)
	if ratio := first.Seconds() / before.Seconds(); ratio < 1.2 || ratio > 1.6 {
		t.Errorf("after one task of three times the model's time the rest takes %.2f times as long, want about (4+3)/5", ratio)
	}
	if ratio := last.Seconds() / before.Seconds(); ratio < 2.2 || ratio > 3 {
		t.Errorf("after 41 of them %.2f times as long, want nearly 3 for nine tenths of the tasks", ratio)
	}
}

func TestWhatTasksShowedSurvivesARestart(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(40, "").Job
	p.ran(id, 0, 100*time.Millisecond)
	want := p.predicted(id)
	next := p.restarted()
	next.use("a", 4)
	if got := next.predicted(id); got != want {
		t.Errorf("predicted %v, after a restart %v", want, got)
	}
}

// A rate that a task was held to says nothing of its slot.
func TestATaskThatWasHeldToARateShowsNothing(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	id := p.submit(40, "").Job
	host := p.a.facts.Ledger.Host("a")
	at := subjects.TaskID{}
	p.say(&subjects.Assigned{Host: "a", Job: id, TaskID: at, Term: host.Term, Width: 1})
	attempt := p.seq
	p.say(&subjects.Paced{Host: "a", Job: id, Term: host.Term, Rates: []subjects.Rate{{Rate: 1}}})
	p.say(&subjects.Finished{Host: "a", Job: id, Fact: subjects.Fact{Term: host.Term, Attempt: attempt}, Run: subjects.Run{Seconds: 1000, Residual: 1}})
	if got := p.predicted(id); got > 110*time.Second {
		t.Errorf("predicted %v after one task of 1000 s, want at most 110s", got)
	}
}

// Of a later stage nothing is known but how far off the guess was for the first.
func TestAStageOfWhichNothingIsKnownIsTakenToBeLikeTheOthers(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	submission := p.submitted([]byte("name: chain\nstages:\n- {name: one, command: [\"true\"], tasks: 4}\n- {name: two, command: [\"true\"], tasks: 4, after: [one]}\n"))
	p.settle()
	id := p.replies[submission].Job
	if got := p.predicted(id); got < 110*time.Second || got > 130*time.Second {
		t.Fatalf("predicted %v before any task ended, want 110s to 130s: two stages of a minute", got)
	}
	p.ran(id, 0, time.Second)
	if got := p.predicted(id); got > 3*time.Second {
		t.Errorf("predicted %v after a task of one second, want at most 3s", got)
	}
}
