package conformance

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"lull/actors"
	"lull/actors/faults"
	"lull/subjects"
)

var inboxSuite = []Test{
	{"inbox/once across restarts", onceAcrossRestarts},
	{"inbox/reply after the echo", replyAfterEcho},
	{"inbox/repeat is answered again", repeatAnswered},
	{"inbox/equal bytes without ids are two", equalBytes},
	{"inbox/trace goes on", traceGoesOn},
	{"inbox/a reader that cannot be opened is tried again", inboxAgain},
}

func submit(t *testing.T, f Fixture, job, id, reply string) {
	t.Helper()
	d := actors.Delivery{Subject: f.Bus.Pool().Submit(), Reply: reply, Body: []byte(job)}
	if id != "" {
		d.Header = map[string]string{"Nats-Msg-Id": id}
	}
	send(t, f, d)
}

func onceAcrossRestarts(t *testing.T, open Opener) {
	f := open(t)
	cfg := config(f.Bus)
	cfg.SnapshotEvery = 1
	for i, jobs := range [][]string{{"a", "b"}, nil, {"c"}} {
		for _, job := range jobs {
			submit(t, f, job, "", "")
		}
		submit(t, f, "again", "again", "") // kept by the inbox the first time only
		h := start(t, cfg)
		want := []int{3, 3, 4}[i]
		h.until("all handled", func(a *tally) bool { return len(a.state.Jobs) == want && h.shell.Leading() })
		h.end()
		h.agrees(0)
	}
}

// verdicts listens for verdicts; what else comes (the stream's own
// acknowledgement) is passed over.
func verdicts(t *testing.T, f Fixture, subject string) func() subjects.Verdict {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), within)
	t.Cleanup(cancel)
	messages, err := f.Bus.Listen(ctx, subject)
	if err != nil {
		t.Fatal(err)
	}
	return func() (v subjects.Verdict) {
		t.Helper()
		for d := range messages {
			if json.Unmarshal(d.Body, &v) == nil && v.Verdict != "" {
				return v
			}
		}
		t.Fatal("no verdict came")
		return v
	}
}

func replyAfterEcho(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.leads()
	next := verdicts(t, f, "verdicts.*")
	submit(t, f, "a", "", "verdicts.a")
	if v := next(); v.Job != "a" || v.Verdict != "rejected" {
		t.Errorf("the verdict is %+v", v)
	}
	if s := replay(t, f.Bus); len(s.Jobs) != 1 {
		t.Error("the verdict came before it stood in the log")
	}
}

func repeatAnswered(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.leads()
	next := verdicts(t, f, "verdicts.*")
	submit(t, f, "a", "a", "verdicts.1")
	first := next()
	submit(t, f, "a", "a", "verdicts.2")
	if again := next(); again != first {
		t.Errorf("first %+v, then %+v", first, again)
	}
	h.end()
	// The next instance never saw the message; its actor recalls the verdict.
	h = start(t, config(f.Bus))
	h.leads()
	submit(t, f, "a", "a", "verdicts.3")
	if again := next(); again != first {
		t.Errorf("first %+v, after a restart %+v", first, again)
	}
	if s := replay(t, f.Bus); len(s.Jobs) != 1 {
		t.Errorf("jobs %v: a repeat was handled", s.Jobs)
	}
}

func equalBytes(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.leads()
	one, two := verdicts(t, f, "verdicts.1"), verdicts(t, f, "verdicts.2")
	submit(t, f, "a", "", "verdicts.1")
	submit(t, f, "a", "", "verdicts.2")
	one()
	two()
	h.end()
	if s := replay(t, f.Bus); len(s.Jobs) != 2 {
		t.Errorf("jobs %v, want two", s.Jobs)
	}
}

func traceGoesOn(t *testing.T, open Opener) {
	const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
	f := open(t)
	h := start(t, config(f.Bus))
	h.leads()
	send(t, f, actors.Delivery{
		Subject: f.Bus.Pool().Submit(), Body: []byte("a"),
		Header: map[string]string{actors.Traceparent: "00-" + trace + "-00f067aa0ba902b7-01"},
	})
	h.until("handled", func(a *tally) bool { return len(a.state.Jobs) == 1 })
	about := entries(t, f.Bus, 1, "")
	if got := about[len(about)-1]; !strings.Contains(got.Header[actors.Traceparent], trace) {
		t.Errorf("%s carries trace %q", got.Subject, got.Header[actors.Traceparent])
	}
}

// inboxAgain: an error of the inbox ends no shell, as one of the log does not.
func inboxAgain(t *testing.T, open Opener) {
	f := open(t)
	submit(t, f, "a", "a", "verdicts.1")
	bus := faults.Wrap(f.Bus, faults.Fault{Op: faults.Inbox, Nth: 1, How: faults.LoseCall})
	h := start(t, config(bus))
	h.until("it says so", func(*tally) bool {
		err := h.shell.Healthy()
		return err != nil && strings.Contains(err.Error(), "inbox")
	})
	h.until("handled", func(a *tally) bool { return len(a.state.Jobs) == 1 })
	h.until("it is well", func(*tally) bool { return h.shell.Healthy() == nil })
	h.end()
}
