package actor

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	golden "lull/test/script"
)

// Scripts give a host's actor what the log and its hands say, and print what it does (with a
// star) and what it decides.
func TestScripts(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T) golden.Command { return (&play{t: t}).command })
}

// play is a host with a log that takes all that the actor decides.
type play struct {
	t *testing.T
	*host
	log []actors.Entry
	out []string
}

// entry adds to the log, and gives it to the actor.
func (p *play) entry(e subjects.Event) actors.Output {
	p.log = append(p.log, actors.Entry{Seq: p.seq + 1, Time: p.now, Event: e})
	return p.host.entry(e)
}

func (p *play) command(verb string, a golden.Args) string {
	p.out = nil
	switch verb {
	case "agent":
		p.log = nil
		p.begin(a, &host{now: time.Unix(1000, 0)})
	case "restart":
		p.begin(a, &host{now: p.now, seq: p.seq})
	case "pass":
		p.now = p.now.Add(a.Span("for"))
		p.see(p.step(actors.Input{}))
	case "assign":
		p.see(p.entry(&subjects.Assigned{
			Host: "h", Job: "j", Term: p.term, Slot: uint32(a.Number("slot", 0)), Width: uint32(a.Number("width", 1)),
			TaskID: subjects.TaskID{Task: uint32(a.Number("task", 0))},
		}))
	default:
		if !p.says(verb, a) && !p.reports(verb, a) {
			p.t.Fatalf("command %q: want one of the script's", verb)
		}
	}
	p.settle()
	return strings.Join(append(p.out, ""), "\n")
}

// begin starts an agent, which reads the log, joins, and finds these attempts in its shims.
func (p *play) begin(a golden.Args, h *host) {
	h.Actor = New(Config{Host: "h", Cores: 2, Slots: uint32(a.Number("slots", 2)), ReserveMemory: 100})
	for i := range p.log {
		h.Step(actors.Input{Now: h.now, Entry: &p.log[i]})
	}
	p.host = h
	p.term = p.seq + 1
	p.see(p.entry(&subjects.Joined{Host: "h"}))
	p.see(p.step(actors.Input{Report: Adopted{Attempts: held(a)}}))
}

func held(a golden.Args) (found []Held) {
	for _, id := range a.List("held") {
		n, _ := strconv.ParseUint(id, 10, 64)
		found = append(found, Held{Attempt: n})
	}
	return found
}

// says is what others write into the log.
func (p *play) says(verb string, a golden.Args) bool {
	var e subjects.Event
	switch verb {
	case "pause":
		e = &subjects.Paused{Host: "h"}
	case "resume":
		e = &subjects.Resumed{Host: "h"}
	case "drain":
		e = &subjects.Drained{Host: "h"}
	case "revoke":
		e = &subjects.Revoked{Host: "h", Job: "j", Attempt: uint64(a.Number("attempt", 0))}
	case "lost":
		e = &subjects.Lost{Host: "h", Term: p.term}
	default:
		return false
	}
	p.see(p.entry(e))
	return true
}

// reports is what the hands and the monitor say.
func (p *play) reports(verb string, a golden.Args) bool {
	attempt := uint64(a.Number("attempt", 0))
	in := actors.Input{}
	switch verb {
	case "runs":
		in.Report = Running{Attempt: attempt, At: p.now.UnixNano()}
	case "ends":
		in.Report = Ended{Attempt: attempt, Outcome: map[string]Outcome{"well": Finished, "badly": Failed, "evicted": Evicted}[a.Get("how", "well")], Reason: a.Get("reason", "")}
	case "disk":
		in.Report = Disk{Full: a.Name() == "full"}
	case "guard":
		in.Report = Guarded{Frozen: a.Name() == "freezes", Why: "the primary waits"}
	case "leave":
		in.Report = Leave{}
	case "memory":
		in.Sample = &subjects.Usage{Host: "h", MemoryFree: int64(a.Number("free", 0))}
	default:
		return false
	}
	p.see(p.step(in))
	return true
}

// settle runs the actor until it returns no more events.
func (p *play) settle() {
	for range 10 {
		out := p.step(actors.Input{Decide: true})
		p.see(actors.Output{Actions: out.Actions})
		if len(out.Events) == 0 {
			return
		}
		for _, e := range out.Events {
			p.out = append(p.out, decision(e))
			p.see(p.entry(e))
		}
	}
	p.t.Fatalf("it decides for ever: %q, want an end", p.out)
}

func (p *play) see(out actors.Output) {
	for _, act := range out.Actions {
		if text := deed(act); text != "" {
			p.out = append(p.out, "* "+text)
		}
	}
}

func deed(act actors.Action) string {
	switch act := act.(type) {
	case Start:
		return fmt.Sprintf("start %d in slot %d", act.Attempt, act.Slot)
	case Adopt:
		return fmt.Sprintf("adopt %d", act.Attempt)
	case Kill:
		return fmt.Sprintf("kill %d: %s", act.Attempt, act.Reason)
	case Drop:
		return fmt.Sprintf("drop %d", act.Attempt)
	case Forget:
		return fmt.Sprintf("forget %d, committed %v", act.Attempt, act.Committed)
	case SetBeat, Pace:
		return "" // heartbeats and rates have tests of their own
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", act), "actor."))
}

func decision(e subjects.Event) string {
	if f := subjects.ReportOf(e); f != nil {
		reason := ""
		switch e := e.(type) {
		case *subjects.Evicted:
			reason = ": " + e.Reason
		case *subjects.Declined:
			reason = ": " + e.Reason
		case *subjects.Failed:
			reason = ": " + e.Reason
		}
		return fmt.Sprintf("%s %d%s", strings.TrimPrefix(fmt.Sprintf("%T", e), "*subjects."), f.Attempt, reason)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", e), "*subjects.")
}
