package admission

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/admission/judge"
	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// goDuration is a span as the language prints it: 1m0s, 24h0m0s.
var goDuration = regexp.MustCompile(`\b\d+(h\d+m|m\d)\d*(\.\d+)?s\b|\d+h\d+m\d+s`)

func TestNoSentinelLeaksIntoAVerdict(t *testing.T) {
	for _, f := range []judge.Finding{{Start: span.Horizon, Finish: 0}, {Start: span.Horizon, Finish: 5e6, Ahead: 3}, {Start: span.Horizon - 1e6, Finish: 5e6}} {
		if got := behind(f); strings.Contains(got, "438") || strings.Contains(got, "18250") {
			t.Errorf("behind(%+v) = %q, want no number of days", f, got)
		}
	}
	for _, m := range []span.Micros{span.Horizon, span.Horizon - 60e6, span.Endless} {
		if got := about(m); got != "an unknown time" {
			t.Errorf("about(%d) = %q, want an unknown time", m, got)
		}
	}
}

// TestAJobThatIsDoneBeforeItsVerdictWaitsForNothing has every task of a tried job end before the
// verdict: none of them is placed any more.
func TestAJobThatIsDoneBeforeItsVerdictWaitsForNothing(t *testing.T) {
	p := unknowns(t)
	id, inbox := p.try("2", "10m", "")
	p.ran(id, 0, time.Second)
	p.ran(id, 1, time.Second)
	said := p.settle()
	if v := p.replies[inbox]; v.Verdict != subjects.VerdictAdmitted {
		t.Fatalf("reply = %+v, want admitted", v)
	}
	for _, e := range said {
		if a, ok := e.(*subjects.Admitted); ok && a.Why != "its tasks have all run, 9m 58s before its deadline" {
			t.Errorf("admitted with %q, want that its tasks have all run", a.Why)
		}
	}
}

func TestTheSentenceOfADryRunAgreesWithItsFigures(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	f := p.forecast(t, "name: known\ndeadline: 24h\nstages:\n- {name: one, command: [\"true\"], tasks: 23, estimate: 10200ms}\n")
	if want := "done in about " + about(span.Of(f.FinishSeconds)); f.Verdict != subjects.VerdictAdmitted || !strings.HasPrefix(f.Text, want) {
		t.Errorf("forecast = %s: %q, want admitted: %q", f.Verdict, f.Text, want)
	}
	if goDuration.MatchString(f.Text) {
		t.Errorf("text = %q, want no span in Go's form", f.Text)
	}
}

func TestADryRunOfAJobThatWouldBeTriedSaysWhatIsKnown(t *testing.T) {
	p := unknowns(t)
	f := p.forecast(t, "name: new\ndeadline: 20h\nstages:\n- {name: one, command: [\"true\"], tasks: 40}\n")
	if f.Verdict != subjects.VerdictTrying || !strings.Contains(f.Text, "at the latest in 2h 00m") || f.Until == "" {
		t.Errorf("forecast without an estimate = %+v, want trying, with the time of the verdict", f)
	}
	if f.FinishSeconds < 500 || f.FinishSeconds > 700 || f.Soonest != "" || f.Latest != "" {
		t.Errorf("40 tasks of a guessed minute on 4 slots: %v s, interval %q to %q, want 500 to 700 and none", f.FinishSeconds, f.Soonest, f.Latest)
	}
}

func TestARejectionOfAKnownTypeSaysWhatWasAssumedAndWhatHelps(t *testing.T) {
	p := unknowns(t)
	id, inbox := p.try("200", "30m", "")
	for task := range uint32(pool.Telling) {
		p.ran(id, task, time.Minute)
		p.settle()
	}
	v := p.replies[inbox]
	for _, want := range []string{"a task of stage one takes 1m 00s on an idle core (as 3 tasks of this job showed)", "of 4 cores are idle", "--late run"} {
		if !strings.Contains(v.Text, want) {
			t.Errorf("text = %q, want %q in it", v.Text, want)
		}
	}
	if strings.Contains(v.Text, "estimate:") || v.Earliest == "" {
		t.Errorf("text = %q, earliest %q, want no advice on estimates, and an earliest deadline", v.Text, v.Earliest)
	}
}

func TestAFreshHostSaysHowLittleItKnows(t *testing.T) {
	p := newDriver(t, Config{})
	p.join("a", 4)
	p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: "a", Cores: 4, Idle: 4, Usual: 4, Observed: 179.8}})
	doc := "name: long\ndeadline: 24h\nstages:\n- {name: one, command: [\"true\"], tasks: 400, estimate: 30s}\n"
	if f := p.forecast(t, doc); f.Observed != 180 || !strings.Contains(f.Text, "hosts have been observed for 3m 00s") {
		t.Errorf("Observed = %v: %q, want 180 and so in the text", f.Observed, f.Text)
	}
	p.now = p.now.Add(2 * time.Second)
	p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: "a", Cores: 4, Idle: 4, Usual: 4, Observed: 3.8}})
	if f := p.forecast(t, doc); f.Observed != 4 || !strings.Contains(f.Text, "observed for 4") {
		t.Errorf("Observed = %v: %q, want 4 in both", f.Observed, f.Text)
	}
	p.a.Step(actors.Input{Now: p.now, Sample: &subjects.Usage{Host: "a", Cores: 4, Idle: 4, Usual: 4, Observed: 7200}})
	p.now = p.now.Add(2 * time.Second)
	if f := p.forecast(t, doc); f.Observed != 0 || strings.Contains(f.Text, "observed") {
		t.Errorf("Observed after two hours = %v: %q, want 0 and nothing in the text", f.Observed, f.Text)
	}
}

func (p *driver) forecast(t *testing.T, doc string) (f subjects.Forecast) {
	t.Helper()
	if err := json.Unmarshal(p.a.Answer(subjects.AskAdmission, []byte(doc)), &f); err != nil {
		t.Fatal(err)
	}
	return f
}
