package conformance

import (
	"fmt"
	"strings"
	"testing"

	"lull/actors"
	"lull/subjects"
)

var logSuite = []Test{
	{"log/decides once", decidesOnce},
	{"log/garbage is passed over by every reader", garbage},
	{"log/unknown kind stops the fold", unknownKind},
	{"log/foreign subjects are passed over", foreignSubject},
	{"log/optional kind is passed over", optionalKind},
	{"log/truncated", truncatedLog},
	{"log/a host may begin in the middle", anywhere},
	{"log/a connection lost while beginning ends nothing", beginsAgain},
	{"log/trims what no service needs", trims},
	{"log/trims for all", trimsForAll},
	{"log/hosts do not hold it", hostsHoldNothing},
	{"log/samples, reports and questions", otherInputs},
}

func decidesOnce(t *testing.T, open Opener) {
	bus := open(t).Bus
	h := start(t, config(bus))
	h.awaitLead()
	for i := range 20 {
		appendEvents(t, bus, drain(fmt.Sprintf("h%d", i)))
	}
	h.until("all resumed", func(a *tally) bool { return a.state.Resumed == 20 })
	h.end()
	h.checkReplay(20)
}

// checkReplay compares the state of a shell that has ended with a replay of the log up
// to the last entry that the shell folded.
func (h *process) checkReplay(resumed uint64) {
	h.t.Helper()
	got := replayTo(h.t, h.bus, h.actor.state.Seq)
	if got.Doubled != 0 || len(got.Pending) != 0 || got.Resumed != resumed {
		h.t.Errorf("the log says %+v, want %d resumed once", got, resumed)
	}
	if fmt.Sprint(got) != fmt.Sprint(h.actor.state) {
		h.t.Errorf("state of the shell = %+v, want %+v as the log gives", h.actor.state, got)
	}
}

// hugeLengths are malformed messages. Some make a careless decoder allocate or recurse without limit.
var hugeLengths = [][]byte{
	nil, []byte("{ }"), []byte("\x00\xff"),
	[]byte("\xdd\xff\xff\xff\xff\x01"), []byte("\xdf\xff\xff\xff\xff\x01\x01"),
	[]byte(strings.Repeat("\x91", 1<<10)),
}

func garbage(t *testing.T, open Opener) {
	f := open(t)
	cfg := config(f.Bus)
	cfg.Telemetry = []string{f.Bus.Pool().Usage("*")}
	leader := start(t, cfg)
	leader.awaitLead()
	standby := start(t, cfg)
	pool := f.Bus.Pool()
	for _, bomb := range hugeLengths {
		for _, subject := range []string{"lull.test.host.x.joined", pool.Led("tally", "all"), pool.Usage("x"), pool.Submit()} {
			send(t, f, actors.Delivery{Subject: subject, Body: bomb})
		}
	}
	appendEvents(t, f.Bus, drain("a"))
	both := func(a *tally) bool { return a.state.Resumed == 1 }
	leader.until("the leader goes on", both)
	standby.until("the standby goes on", both)
	// Not every bomb fails for every kind of message: a nil map decodes as an event without fields. At
	// least three fail on each of the four subjects. Both readers quarantine them, but each is stored
	// once. Readers store them in the background, and drop what is left when they end. So the test
	// waits before it ends them.
	eventually(t, "at least 12 messages are in quarantine", func() bool { return f.Quarantined() >= 3*4 })
	standby.end()
	leader.end()
	leader.checkReplay(1)
	standby.checkReplay(1)
	if n, most := f.Quarantined(), 4*len(hugeLengths)+len(hugeLengths); n > most {
		t.Errorf("%d in quarantine, want at most %d", n, most)
	}
}

func send(t *testing.T, f Fixture, d actors.Delivery) {
	t.Helper()
	if err := f.Send(d); err != nil {
		t.Fatal(err)
	}
}

func unknownKind(t *testing.T, open Opener) {
	f := open(t)
	f.Accept("lull.test.job.*.levitated")
	h := start(t, config(f.Bus))
	h.awaitLead()
	send(t, f, actors.Delivery{Subject: "lull.test.job.a.levitated"})
	err := <-h.done
	if err == nil || !strings.Contains(err.Error(), "levitated") || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("end of the fold = %v, want an error that names the kind and advises a newer version", err)
	}
}

// foreignSubject tests that a message on a subject that is not one of the log's does not end the
// services that read it, neither now nor after a restart.
func foreignSubject(t *testing.T, open Opener) {
	f := open(t)
	if f.Intrude == nil {
		t.Skip("needs a log that others can write to")
	}
	h := start(t, config(f.Bus))
	h.awaitLead()
	f.Intrude(f.Bus.Pool().Submit())
	appendEvents(t, f.Bus, drain("a"))
	goesOn := func(a *tally) bool { return a.state.Resumed == 1 }
	h.until("it goes on", goesOn)
	start(t, config(f.Bus)).until("the next one goes on", goesOn)
	eventually(t, "one message is in quarantine", func() bool { return f.Quarantined() == 1 })
}

func optionalKind(t *testing.T, open Opener) {
	f := open(t)
	f.Accept("lull.test.job.*.levitated")
	h := start(t, config(f.Bus))
	h.awaitLead()
	batch := []subjects.Message{
		{Subject: "lull.test.job.a.levitated", Optional: true}, {Subject: "lull.test.job.b.levitated", Trace: "00-t-s-01", Optional: true},
	}
	for _, some := range [][]subjects.Message{batch[:1], batch} {
		if _, err := f.Bus.Append(t.Context(), some, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
	}
	appendEvents(t, f.Bus, drain("a"))
	h.until("it goes on", func(a *tally) bool { return a.state.Resumed == 1 })
	if n := f.Quarantined(); n != 0 {
		t.Errorf("messages in quarantine = %d, want 0: an optional kind is passed over", n)
	}
}

func truncatedLog(t *testing.T, open Opener) {
	bus := open(t).Bus
	for range 5 {
		appendEvents(t, bus, drain("a"))
	}
	if err := bus.Trim(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	h := start(t, config(bus))
	if err := <-h.done; err == nil || !strings.Contains(err.Error(), "truncated below 4 and no snapshot reaches it") {
		t.Errorf("end of the fold = %v, want an error: truncated below 4", err)
	}
}

func anywhere(t *testing.T, open Opener) {
	bus := open(t).Bus
	for range 5 {
		appendEvents(t, bus, drain("a"))
	}
	if err := bus.Trim(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	cfg := config(bus)
	cfg.Anywhere, cfg.Lease = true, 0
	cfg.Filter = bus.Pool().OfHost("a")
	cfg.LedSubject = bus.Pool().Joined("a")
	cfg.Claim = func(instance string) subjects.Event { return &subjects.Joined{Host: "a", Instance: instance} }
	h := start(t, cfg)
	h.until("it leads and decides", func(a *tally) bool { return a.state.Resumed == 1 })
}

// trims tests that a long-running leader trims the log, but keeps its newest entries. The log must
// reach back to the leader's own Led, so the leader opens a new term from time to time.
func trims(t *testing.T, open Opener) {
	bus := open(t).Bus
	cfg := config(bus)
	cfg.SnapshotEvery, cfg.Keep, cfg.Trimmer = 10, 40, true
	h := start(t, cfg)
	h.awaitLead()
	// The shell saves snapshots in the background, so on a slow disk it trims later.
	sent, info := uint64(0), actors.LogInfo{}
	for sent < 100 || (info.First == 1 && sent < 10_000) {
		sent++
		appendEvents(t, bus, drain("a"))
		h.until("resumed", func(a *tally) bool { return a.state.Resumed == sent })
		info = logOf(t, bus)
	}
	h.end()
	info = logOf(t, bus)
	if kept := info.Last + 1 - info.First; info.First == 1 || kept < 40 {
		t.Errorf("the log holds %d to %d, want it trimmed, and at least 40 kept", info.First, info.Last)
	}
	again := start(t, cfg)
	again.awaitLead()
	if s := again.actor.state; s.Resumed != sent || s.Doubled != 0 {
		t.Errorf("state after a restart from the snapshot = %+v, want %d resumed, 0 doubled", s, sent)
	}
}

// trimsForAll tests that the log is not trimmed while a service of Config.Awaits has not
// saved a snapshot.
func trimsForAll(t *testing.T, open Opener) {
	bus := open(t).Bus
	cfg := config(bus)
	cfg.SnapshotEvery, cfg.Keep, cfg.Trimmer, cfg.Awaits = 10, 40, true, []string{"late.all"}
	h := start(t, cfg)
	h.awaitLead()
	sent := uint64(0)
	speak := func() {
		sent++
		appendEvents(t, bus, drain("a"))
		h.until("resumed", func(a *tally) bool { return a.state.Resumed == sent })
	}
	for sent < 100 {
		speak()
	}
	info := logOf(t, bus)
	if info.First != 1 {
		t.Fatalf("the log begins at %d before a service has begun, want 1", info.First)
	}
	if err := bus.Save(t.Context(), "late.all", actors.Snapshot{Created: info.Created, Seq: info.Last}); err != nil {
		t.Fatal(err)
	}
	for info.First == 1 && sent < 10_000 {
		speak()
		info = logOf(t, bus)
	}
	if info.First == 1 {
		t.Error("the log begins at 1 though all have their snapshots, want it trimmed")
	}
	h.end()
}

func logOf(t *testing.T, bus actors.Bus) actors.LogInfo {
	info, err := bus.Log(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func otherInputs(t *testing.T, open Opener) {
	f := open(t)
	var h *process
	cfg := config(f.Bus)
	cfg.Telemetry = []string{f.Bus.Pool().Beat("*")}
	cfg.Asks = []string{"weather"}
	cfg.Perform = func(a actors.Action) { h.shell.Report(a) }
	h = prepare(t, cfg)
	h.run()
	h.awaitLead()
	standby := start(t, config(f.Bus))
	appendEvents(t, f.Bus, drain("a"))
	h.until("the action is reported", func(a *tally) bool { return len(a.reports) == 1 && a.reports[0] == "a" })
	beat, err := subjects.EncodeTelemetry(f.Bus.Pool(), &subjects.Beat{Host: "a", Boot: "b"})
	if err != nil {
		t.Fatal(err)
	}
	send(t, f, actors.Delivery{Subject: beat.Subject, Body: beat.Body})
	h.until("the sample", func(a *tally) bool { return a.samples == 1 })
	answers, err := f.Bus.Listen(t.Context(), "answers")
	if err != nil {
		t.Fatal(err)
	}
	send(t, f, actors.Delivery{Subject: f.Bus.Pool().Ask("weather"), Reply: "answers", Body: []byte("rain?")})
	if d := <-answers; string(d.Body) != "you asked rain?" {
		t.Errorf("answer = %q, want you asked rain?", d.Body)
	}
	if n := len(standby.actor.reports); n != 0 {
		t.Errorf("actions of the standby = %d, want 0", n)
	}
}
