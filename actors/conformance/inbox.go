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
	{"inbox/an id is its sender's", idsAreTheSenders},
	{"inbox/made anew", madeAnew},
	{"inbox/older than the log", olderThanLog},
	{"inbox/equal bytes without ids are two", equalBytes},
	{"inbox/trace goes on", traceGoesOn},
	{"inbox/filters", inboxFilters},
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
		h := start(t, cfg)
		want := []int{2, 2, 3}[i]
		h.until("all handled", func(a *tally) bool { return len(a.state.Jobs) == want && h.shell.Leading() })
		h.end()
		h.checkReplay(0)
	}
}

// verdicts listens for verdicts; what else comes (the stream's own
// acknowledgement) is passed over.
func verdicts(t *testing.T, f Fixture, subject string) func() subjects.Verdict {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patienceLimit)
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
		t.Fatal("no reply with a verdict, want one")
		return v
	}
}

func replyAfterEcho(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.awaitLead()
	next := verdicts(t, f, "verdicts.*")
	submit(t, f, "a", "", "verdicts.a")
	if v := next(); v.Job != "a" || v.Verdict != subjects.VerdictRejected {
		t.Errorf("verdict = %+v, want a rejected", v)
	}
	if s := replay(t, f.Bus); len(s.Jobs) != 1 {
		t.Errorf("jobs in the log = %v when the verdict comes, want one", s.Jobs)
	}
}

func repeatAnswered(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.awaitLead()
	next := verdicts(t, f, "verdicts.*")
	submit(t, f, "a", "a", "verdicts.1")
	first := next()
	submit(t, f, "a", "a", "verdicts.2")
	if again := next(); again != first {
		t.Errorf("verdict on a repeat = %+v, want %+v", again, first)
	}
	h.end()
	// The next instance never saw the message; its actor recalls the verdict.
	h = start(t, config(f.Bus))
	h.awaitLead()
	submit(t, f, "a", "a", "verdicts.3")
	if again := next(); again != first {
		t.Errorf("verdict on a repeat after a restart = %+v, want %+v", again, first)
	}
	if s := replay(t, f.Bus); len(s.Jobs) != 1 {
		t.Errorf("jobs = %v, want one: repeats are not handled", s.Jobs)
	}
}

// idsAreTheSenders has two clients use one id at once. The server keeps only one of
// the messages: the sender of the other must not receive the first one's verdict.
func idsAreTheSenders(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.awaitLead()
	next := verdicts(t, f, "verdicts.*")
	say := func(client, job, reply string) {
		send(t, f, actors.Delivery{
			Subject: f.Bus.Pool().Submit(), Reply: reply, Body: []byte(job),
			Header: map[string]string{"Nats-Msg-Id": "night", "Lull-Client": client},
		})
	}
	say("ann", "a", "verdicts.ann")
	say("bob", "b", "verdicts.bob")
	for got := map[string]bool{}; len(got) < 2; {
		switch v := next(); {
		case v.Code == subjects.ReasonNotKept:
			say("bob", "b", "verdicts.bob")
		case v.Job == "a" || v.Job == "b":
			got[v.Job] = true
		default:
			t.Fatalf("verdict = %+v, want one on each sender's job once", v)
		}
	}
	h.end()
	if s := replay(t, f.Bus); len(s.Jobs) != 2 {
		t.Errorf("jobs %v, want both", s.Jobs)
	}
}

// madeAnew replaces the inbox under the leader: its messages have sequences that were
// dealt with in the inbox before.
func madeAnew(t *testing.T, open Opener) {
	f := open(t)
	if f.RecreateInbox == nil {
		t.Skip("needs an inbox that can be made anew")
	}
	h := start(t, config(f.Bus))
	h.awaitLead()
	for _, job := range []string{"a", "b"} {
		submit(t, f, job, "", "")
	}
	h.until("two handled", func(a *tally) bool { return len(a.state.Jobs) == 2 })
	f.RecreateInbox()
	submit(t, f, "c", "", "")
	h.until("that of the new inbox handled", func(a *tally) bool { return len(a.state.Jobs) == 3 })
	h.end()
	h.checkReplay(0)
}

// olderThanLog replaces the log beside an inbox that stays: the inbox's old messages
// must not be dealt with again, new ones must.
func olderThanLog(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.awaitLead()
	submit(t, f, "a", "", "")
	h.until("handled", func(a *tally) bool { return len(a.state.Jobs) == 1 })
	h.end()
	f.Recreate()
	submit(t, f, "b", "", "")
	h = start(t, config(f.Bus))
	h.until("the new one handled", func(a *tally) bool { return len(a.state.Jobs) > 0 })
	h.end()
	if s := replay(t, f.Bus); len(s.Jobs) != 1 || s.Jobs[0] != "b" {
		t.Errorf("jobs %v, want that of the time after", s.Jobs)
	}
}

func equalBytes(t *testing.T, open Opener) {
	f := open(t)
	h := start(t, config(f.Bus))
	h.awaitLead()
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
	h.awaitLead()
	send(t, f, actors.Delivery{
		Subject: f.Bus.Pool().Submit(), Body: []byte("a"),
		Header: map[string]string{actors.Traceparent: "00-" + trace + "-00f067aa0ba902b7-01"},
	})
	h.until("handled", func(a *tally) bool { return len(a.state.Jobs) == 1 })
	about := entries(t, f.Bus, 1, "")
	if got := about[len(about)-1]; !strings.Contains(got.Header[actors.Traceparent], trace) {
		t.Errorf("trace of %s = %q, want %s in it", got.Subject, got.Header[actors.Traceparent], trace)
	}
}

// inboxAgain: an error of the inbox does not end a shell, as one of the log does not.
func inboxAgain(t *testing.T, open Opener) {
	f := open(t)
	submit(t, f, "a", "a", "verdicts.1")
	bus := faults.Wrap(f.Bus, faults.Fault{Op: faults.Inbox, Nth: 1, How: faults.LoseCall})
	h := start(t, config(bus))
	h.until("unhealthy", func(*tally) bool {
		err := h.shell.Healthy()
		return err != nil && strings.Contains(err.Error(), "inbox")
	})
	h.until("handled", func(a *tally) bool { return len(a.state.Jobs) == 1 })
	h.until("healthy", func(*tally) bool { return h.shell.Healthy() == nil })
	h.end()
}

// inboxFilters reads what matches one of several patterns, from a sequence on.
func inboxFilters(t *testing.T, open Opener) {
	f := open(t)
	pool := f.Bus.Pool()
	for _, subject := range []string{
		pool.Request("cancel"), pool.Submit(), pool.RequestBy("cancel", "ann"), pool.Request("retry"),
		pool.SubmitBy("cancel"), pool.AdminBy("cancel", "olga"),
	} {
		send(t, f, actors.Delivery{Subject: subject, Body: []byte(subject)})
	}
	ctx, cancel := context.WithTimeout(t.Context(), patienceLimit)
	defer cancel()
	messages, err := f.Bus.Inbox(ctx, 2, pool.CancelSubjects()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint64{3, 6} {
		if d := <-messages; d.Seq != want {
			t.Errorf("message %d came, want %d", d.Seq, want)
		}
	}
}
