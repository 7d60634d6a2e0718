package classifier

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	golden "lull/test/script"
)

// Scripts are golden ones: see package test/script.
func TestScripts(t *testing.T) {
	golden.Run(t, "testdata/*.txt", func(t *testing.T) golden.Command { return (&script{t: t}).command })
}

// script is a pool with a classifier that obeys commands.
type script struct {
	t    *testing.T
	w    *world
	seen int // entries of the log that were printed
}

func (sc *script) command(verb string, a golden.Args) string {
	w := sc.w
	switch verb {
	case "pool":
		sc.w, sc.seen = newWorld(sc.t), 1
		sc.w.settle() // nothing is known yet
	case "live":
		sc.live(a)
	case "day": // it is the second hour of a day, from Monday on
		w.now = monday.AddDate(0, 0, int(a.Number("n", 0))).Add(2 * time.Hour)
	case "pass":
		w.sleep(a.Span("for"))
		return sc.news()
	case "settle":
		w.settle()
		return sc.news()
	case "decide":
		w.decide()
		return sc.news()
	case "act":
		w.act()
		return sc.news()
	case "lead": // another instance leads, or the same again
		w.term = w.seq + 1
		w.enter(&subjects.Led{Actor: Name, Partition: subjects.WholePool, Instance: a.Name()})
	case "led":
		w.enter(&subjects.Led{Actor: a.Name(), Partition: subjects.WholePool, Instance: "i", Format: uint32(a.Number("format", 0))})
	case "write": // by another writer
		w.enter(&subjects.Classified{Tenant: a.Name(), Generation: uint64(w.now.Add(a.Span("ahead")).Unix())})
		sc.seen = len(w.log)
	case "restart":
		sc.restart()
	case "gap":
		w.actor.Gap()
	case "ask":
		return describeAnswer(w.ask(a.Name(), a.Has("dry")))
	case "tenants":
		return sc.tenants()
	case "waits":
		return sc.waits()
	default:
		sc.t.Fatalf("command %q: want one of the script's", verb)
	}
	return ""
}

// live gives a host usage on days: wave, still, or a constant share.
func (sc *script) live(a golden.Args) {
	usage := map[string]func(time.Time) float64{"wave": wave, "still": still}[a.Get("uses", "still")]
	if usage == nil {
		share := a.Number("uses", 0)
		usage = func(time.Time) float64 { return share }
	}
	for d := int(a.Number("from", 0)); d < int(a.Number("to", 0)); d++ {
		sc.w.live(a.Name(), a.Get("tenant", ""), monday.AddDate(0, 0, d), usage)
	}
}

// restart ends the leader. Another instance goes on from its snapshot.
func (sc *script) restart() {
	body, err := sc.w.actor.Snapshot()
	if err != nil {
		sc.t.Fatal(err)
	}
	sc.w.actor, sc.w.acts = New(Config{Seed: 8}), nil
	if err := sc.w.actor.Restore(body); err != nil {
		sc.t.Fatal(err)
	}
	sc.w.lead()
}

// news describes what came into the log.
func (sc *script) news() string {
	var out strings.Builder
	quiet := 0
	tellQuiet := func() {
		if quiet > 0 {
			fmt.Fprintf(&out, "without change: %d\n", quiet)
		}
		quiet = 0
	}
	for _, e := range sc.w.log[sc.seen:] {
		if end, ok := e.(*subjects.PoolClassified); ok && end.Changed == 0 && end.Why == subjects.ClassifiedDaily {
			quiet++
			continue
		}
		tellQuiet()
		switch e := e.(type) {
		case *subjects.Classified:
			fmt.Fprintf(&out, "%s %s\n", e.Tenant, describeSaid(e))
		case *subjects.PoolClassified:
			fmt.Fprintf(&out, "ends, %s: %d of %d tenants, %d names", e.Why, e.Changed, e.Tenants, e.Named)
			for _, c := range e.Classes {
				fmt.Fprintf(&out, ", %s of %d", c.Name, c.Members)
			}
			out.WriteByte('\n')
		}
	}
	tellQuiet()
	sc.seen = len(sc.w.log)
	return out.String()
}

func describeSaid(e *subjects.Classified) string {
	if e.Gone {
		return "is gone"
	}
	class := e.Class
	if class == "" {
		class = "without class"
	}
	return fmt.Sprintf("is %v, %s, average %.2f, peak %.2f: %s", e.Profile.Pattern, class, e.Profile.Average, e.Profile.Peak, e.Why)
}

// tenants lists what counts.
func (sc *script) tenants() string {
	var out strings.Builder
	for e := range sc.w.actor.tenants.All() {
		fmt.Fprintf(&out, "%s %s\n", e.Tenant, describeSaid(e))
	}
	return out.String()
}

// waits lists the actions that wait for the shell.
func (sc *script) waits() string {
	var out strings.Builder
	for _, action := range sc.w.acts {
		switch action := action.(type) {
		case Learn:
			fmt.Fprintf(&out, "learn, %s, all %v\n", action.Why, action.All)
		case Look:
			out.WriteString("look for drift\n")
		}
	}
	return out.String()
}

func describeAnswer(a subjects.ClassifyAnswer) string {
	switch {
	case a.Error != "":
		return a.Error + "\n"
	case !a.Done:
		return "wait\n"
	}
	out := fmt.Sprintf("done: %d of %d tenants of %d hosts\n", a.Changed, a.Tenants, a.Hosts)
	for _, c := range a.Changes {
		out += fmt.Sprintf("%s from %q to %q: %s\n", c.Tenant, c.Before, c.After, c.Why)
	}
	return out
}
