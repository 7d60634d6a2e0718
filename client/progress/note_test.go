package progress

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

// waiting is a job without a running task on a machine of two cores.
func waiting(state string, change func(*subjects.JobPool)) *subjects.JobDetail {
	d := &subjects.JobDetail{JobLine: subjects.JobLine{Job: "j", State: state}, Pool: subjects.JobPool{Up: 1, Open: 1, Slots: 2, CPU: subjects.CPUSum{Hosts: 1, Cores: 2}}}
	change(&d.Pool)
	return d
}

func TestAJobThatWaitsSaysWhyAndWhenASlotIsExpected(t *testing.T) {
	busy := func(p *subjects.JobPool) { p.CPU.Primary = 1.96 }
	for _, c := range []struct {
		pool func(*subjects.JobPool)
		want string
	}{
		{func(p *subjects.JobPool) { busy(p); p.Busy, p.Next = 1, start.Add(2*time.Minute).UnixNano() },
			"the machine is 98 % busy with its own work; next slot expected in about 2m 00s"},
		{func(p *subjects.JobPool) { busy(p); p.CPU.Usual = 0.9 },
			"the machine is 98 % busy with its own work; a slot is free as soon as CPU is idle: on average 0.9 of 2 cores are"},
		{busy, "the machine is 98 % busy with its own work; a slot is free as soon as CPU is idle"},
		{func(p *subjects.JobPool) { busy(p); p.CPU.Hosts = 2 }, "the machines are 98 % busy with their own work; a slot is free as soon as CPU is idle"},
		{func(p *subjects.JobPool) { p.Busy, p.Next = 2, start.Add(-time.Second).UnixNano() },
			"all slots run other tasks; next slot expected at any moment: its task has taken longer than predicted"},
		{func(p *subjects.JobPool) { p.Busy = 2 },
			"all slots run other tasks; when a slot is free is unknown, because nothing is known of how long its task takes"},
		{func(p *subjects.JobPool) { p.Busy = 1 }, ""}, // its turn comes at once
	} {
		if got := From(waiting("admitted", c.pool), start).Note; got != c.want {
			t.Errorf("Note = %q, want %q", got, c.want)
		}
		if got := From(waiting("trying", c.pool), start).Note; !strings.HasPrefix(got, c.want) || !strings.Contains(got, "verdict of admission waits for a free slot") {
			t.Errorf("of a job that is tried it says %q, want %q and the verdict", got, c.want)
		}
	}
}

func TestTheNextSlotFollowsFromWhatTasksWerePredictedToTake(t *testing.T) {
	s, now := pool(t,
		&subjects.Joined{Host: "a", Cores: 2, Slots: 1, Memory: 1 << 30},
		twoStages(), &subjects.Admitted{Job: "j", Mode: "affected"},
		&subjects.Assigned{Host: "a", Job: "j", Term: 1, Try: 1, Width: 1, Why: subjects.Why{Expected: 120}},
		&subjects.Started{Host: "a", Job: "j", Fact: subjects.Fact{Term: 1, Attempt: 4}})
	p := page.Detail(s, s.Job("j"), subjects.CPUSum{}).Pool
	if p.Slots != 1 || p.Busy != 1 {
		t.Errorf("slots, busy = %d, %d, want 1, 1", p.Slots, p.Busy)
	}
	if left := time.Unix(0, p.Next).Sub(now); left < time.Minute || left > 2*time.Minute {
		t.Errorf("next slot in %v, want 1m to 2m", left)
	}
}

func TestLinesWithOneOutlineTellNothingNew(t *testing.T) {
	v := running()
	v.Note = "the machine is 98 % busy with its own work; next slot expected in about 2m 00s"
	later := with(v, func(v *View) {
		v.Now, v.Finish = v.Now.Add(time.Minute), v.Finish.Add(time.Hour)
		v.Note = "the machine is 97 % busy with its own work; next slot expected in about 1m 59s"
	})
	if Outline(v) != Outline(later) {
		t.Errorf("Outline = %q, then %q, want the same", Outline(v), Outline(later))
	}
	for name, change := range map[string]func(*View){
		"a task ended":     func(v *View) { v.Stages = []Stage{{Name: "map", Tasks: 18, Done: 10, Held: 2, Evicted: 1}} },
		"the verdict came": func(v *View) { v.Phase = ledger.Trying },
		"it was paused":    func(v *View) { v.Note = "the pool is paused: lull resume --all goes on" },
	} {
		if Outline(with(v, change)) == Outline(v) {
			t.Errorf("%s: Outline = %q as before, want another", name, Outline(v))
		}
	}
}

// A job whose results found no room in their folder says so, beside what else keeps them waiting, and
// no longer once they stand there.
func TestResultsThatWaitForRoomSayWhy(t *testing.T) {
	submitted := twoStages()
	submitted.Spec.Output, submitted.Spec.Stages[0].Tasks = "/results", 1
	submitted.Spec.Stages[1].Publish, submitted.Spec.Stages[1].Argv = true, nil
	fact := func(stage uint32, attempt uint64) subjects.Fact {
		return subjects.Fact{TaskID: subjects.TaskID{Stage: stage}, Term: 1, Attempt: attempt}
	}
	assigned := func(stage uint32) *subjects.Assigned {
		return &subjects.Assigned{Host: "a", Job: "j", TaskID: subjects.TaskID{Stage: stage}, Term: 1, Try: 1, Width: 1}
	}
	events := []subjects.Event{
		&subjects.Joined{Host: "a", Cores: 2, Slots: 2, Memory: 1 << 30}, submitted, &subjects.Admitted{Job: "j", Mode: "affected"},
		assigned(0), &subjects.Finished{Host: "a", Job: "j", Fact: fact(0, 4)},
		assigned(1), &subjects.Declined{Host: "a", Job: "j", Fact: fact(1, 6), Reason: subjects.ReasonNoRoom, Text: "no room in /results"},
	}
	s, now := pool(t, events...)
	d := page.Detail(s, s.Job("j"), subjects.CPUSum{Hosts: 1, Cores: 2, Primary: 2})
	if got := From(d, now).Note; !strings.Contains(got, "no room in /results; the machine is 100 % busy") {
		t.Errorf("note = %q, want that there is no room and the machine is busy", got)
	}
	s, now = pool(t, append(events, assigned(1), &subjects.Finished{Host: "a", Job: "j", Fact: fact(1, 8)})...)
	if got := From(page.Detail(s, s.Job("j"), subjects.CPUSum{}), now); got.Text != "" {
		t.Errorf("note of published results = %q, want none", got.Text)
	}
}
