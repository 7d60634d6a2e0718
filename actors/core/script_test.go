package core

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	golden "lull/test/script"
)

// Scripts give a core its inputs and print the effects that it calls for.
func TestScripts(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T) golden.Command { return (&script{t: t}).command })
}

// script is one instance of an actor that decides what a command wants: so many Resumed.
type script struct {
	t     *testing.T
	core  *Core
	actor *wanting
	at    Moment
	seq   uint64 // last entry of the log
	batch []Draft
}

var logBegan = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (sc *script) command(verb string, a golden.Args) string {
	switch verb {
	case "instance":
		return sc.begin(a)
	case "lease":
		return sc.tell(sc.core.Leased(sc.at, a.Name() == "held"))
	case "pass":
		sc.at.Elapsed += a.Span("for")
		return ""
	case "want":
		return sc.tell(sc.core.Report(sc.at, uint64(a.Number("events", 1))))
	case "turn":
		return sc.tell(sc.core.Turn(sc.at))
	case "ring":
		return sc.tell(sc.core.Ring(sc.at))
	case "alarm":
		if wait, due := sc.core.Alarm(sc.at); due {
			return fmt.Sprintf("in %v\n", wait)
		}
		return "never\n"
	case "claimed":
		return sc.tell(sc.core.Claimed(sc.at, sc.outcome(a), sc.failure(a)))
	case "appended":
		return sc.tell(sc.core.Appended(sc.at, sc.outcome(a), sc.failure(a)))
	case "saved":
		return sc.tell(sc.core.Saved(sc.at, sc.failure(a)))
	case "led", "entry", "batch":
		return sc.fold(verb, a)
	case "inbox":
		return sc.tell(sc.core.CheckInbox(sc.at, actors.LogInfo{Created: logBegan.Add(-a.Span("older"))}, 0))
	case "takes":
		return fmt.Sprintln(sc.core.AcceptsRequest(sc.at, false))
	case "last":
		snap, due, _ := sc.core.Last(sc.at)
		return fmt.Sprintf("snapshot at %d: %v\n", snap.Seq, due)
	}
	sc.t.Fatalf("command %q: want one of the script's", verb)
	return ""
}

// begin starts the instance of a role, on a log from first to last.
func (sc *script) begin(a golden.Args) string {
	sc.actor = &wanting{}
	role := actors.Role{
		Name: "wanting", Lease: a.Span("lease"), Version: 1, Keep: uint64(a.Number("keep", 0)), Trimmer: true,
		SnapshotEvery: uint64(a.Number("snapshot", 0)), SnapshotAfter: a.Span("after"),
	}.In("test")
	sc.core = New(Config{Role: role, Pool: "test", Instance: "me", Actor: sc.actor, Claim: func(instance string) subjects.Event {
		return &subjects.Led{Actor: role.Name, Partition: role.Partition, Instance: instance}
	}})
	sc.at, sc.seq = Moment{Wall: logBegan}, uint64(a.Number("last", 0))
	log := Log{LogInfo: actors.LogInfo{Created: logBegan, First: uint64(a.Number("first", 1)), Last: sc.seq}, Void: uint64(a.Number("void", 0))}
	out := ""
	if at := uint64(a.Number("restore", 0)); at > 0 {
		snap := actors.Snapshot{Created: logBegan, Seq: at, Led: uint64(a.Number("led", 0)), Version: int(a.Number("version", 1))}
		unused, err := sc.core.Restore(log, role.Places()[0], snap)
		out += fmt.Sprintf("restored to %d %s %v\n", sc.core.Seq(), unused, err)
	}
	if !sc.core.Begin(sc.at, log) {
		return out + fmt.Sprintln(sc.core.Unreached(log, nil))
	}
	return out
}

// fold gives the core the next entries of the log.
func (sc *script) fold(what string, a golden.Args) (out string) {
	one := func(e subjects.Event) {
		sc.seq++
		m, err := subjects.Encode("test", e)
		if err != nil {
			sc.t.Fatal(err)
		}
		entry := &actors.Entry{Seq: sc.seq, Time: logBegan.Add(sc.at.Elapsed), Event: e}
		out += sc.tell(sc.core.Fold(sc.at, Arrival{Entry: entry, Subject: m.Subject, Pending: uint64(a.Number("behind", 0))}))
	}
	switch what {
	case "led":
		one(&subjects.Led{Actor: "wanting", Partition: "all", Instance: a.Name(), Inbox: logBegan.UnixNano()})
	case "batch": // what was sent last comes back
		for _, d := range sc.batch {
			one(d.Event)
		}
	default:
		sc.seq += uint64(a.Number("skip", 0))
		for range int(a.Number("times", 1)) {
			one(&subjects.Drained{Host: "h"})
		}
	}
	return out
}

// outcome is the sequence that the log gave, 0 with an error.
func (sc *script) outcome(a golden.Args) uint64 {
	if a.Get("error", "") != "" {
		return 0
	}
	return uint64(a.Number("at", 0))
}

func (sc *script) failure(a golden.Args) error {
	switch e := a.Get("error", ""); e {
	case "":
		return nil
	case "fenced":
		return &actors.FencedError{Last: uint64(a.Number("last", 0)), Err: errors.New("wrong last sequence")}
	case "unknown", "full", "busy", "refused", "batches":
		return map[string]error{"unknown": actors.ErrUnknown, "full": actors.ErrFull, "busy": actors.ErrBusy, "refused": actors.ErrRefused, "batches": actors.ErrBatches}[e]
	default:
		return errors.New(e)
	}
}

// tell describes effects, a line each, and why the core cannot go on.
func (sc *script) tell(effects []Effect) string {
	var out strings.Builder
	for _, effect := range effects {
		if s := sc.describe(effect); s != "" {
			out.WriteString(s + "\n")
		}
	}
	if err := sc.core.Err(); err != nil {
		fmt.Fprintf(&out, "ended: %v\n", err)
	}
	return out.String()
}

func (sc *script) describe(effect Effect) string {
	switch e := effect.(type) {
	case Claim:
		fence, err := e.Fence(actors.LogInfo{Created: logBegan, First: 1, Last: sc.seq})
		return fmt.Sprintf("claim a term if %d is the last one %v", fence.Seq, err)
	case Append:
		sc.batch = e.Batch
		return fmt.Sprintf("append %d in term %d", len(e.Batch), e.Fence.Seq)
	case Save:
		return fmt.Sprintf("save a snapshot of %d, trim %v", e.Snapshot.Seq, e.Trim)
	case OpenInbox:
		return fmt.Sprintf("open the inbox at %d", e.From)
	case Landed:
		return fmt.Sprintf("the batch is back after %v", e.After)
	case Lead:
		return fmt.Sprintf("leads: %v", e.Leads)
	case Term:
		return fmt.Sprintf("term %d", e.Seq)
	case Unhealthy:
		return "unhealthy: " + e.What
	case Note:
		return "note: " + e.Text
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", effect), "core."))
}

// wanting is an actor that wants so many events in the log, and reads the inbox.
type wanting struct{ wants, inbox uint64 }

func (w *wanting) Step(in actors.Input) (out actors.Output) {
	if n, ok := in.Report.(uint64); ok {
		w.wants += n
	}
	if in.Refused != nil {
		w.wants--
	}
	if in.Entry != nil {
		if _, ok := in.Entry.Event.(*subjects.Resumed); ok {
			w.wants -= min(w.wants, 1)
		}
	}
	if in.Decide {
		for i := range w.wants {
			out.Events = append(out.Events, &subjects.Resumed{Host: fmt.Sprint("h", i)})
		}
	}
	return out
}

func (w *wanting) Snapshot() ([]byte, error) { return []byte{byte(w.wants)}, nil }
func (w *wanting) Restore(b []byte) error    { return nil }
func (w *wanting) InboxFrom() uint64         { return w.inbox }
