package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

func folded(t *testing.T, n int, event func(i int) subjects.Event) *ledger.State {
	t.Helper()
	s := ledger.New()
	for i := range n {
		s.Apply(uint64(i+1), time.Unix(int64(i), 0), event(i))
	}
	return s
}

// Pages list each host once, by name, in answers that fit a message.
func TestHostPagesListEveryHostOnce(t *testing.T) {
	const hosts = 2500
	label := "rack=" + strings.Repeat("x", 1000)
	for name, labels := range map[string][]string{"plain": nil, "many labels": {label, "b=1"}} {
		s := folded(t, hosts, func(i int) subjects.Event {
			return &subjects.Joined{Host: fmt.Sprintf("h%04d", i), Cores: 1, Slots: 1, Labels: labels}
		})
		var names []string
		for ask := (subjects.HostsAsk{}); ; {
			answer := Hosts(s, &ask)
			if body, err := subjects.Marshal(answer); err != nil || len(body) > 1<<20 || answer.Seq != hosts {
				t.Fatalf("%s: Hosts = %d bytes at entry %d, %v, want at most 1 MiB at %d", name, len(body), answer.Seq, err, hosts)
			}
			for _, h := range answer.Hosts {
				names = append(names, h.Host)
			}
			if ask.After = answer.Next; ask.After == "" {
				break
			}
		}
		if len(names) != hosts || names[0] != "h0000" || names[hosts-1] != "h2499" {
			t.Errorf("%s: %d hosts from %s to %s, want %d from h0000 to h2499", name, len(names), names[0], names[len(names)-1], hosts)
		}
	}
}

// A page begins behind a name whether or not the name is known: the host may be forgotten meanwhile.
func TestAPageBeginsBehindANameThatIsGone(t *testing.T) {
	s := folded(t, 3, func(i int) subjects.Event { return &subjects.Joined{Host: fmt.Sprint("h", 2*i)} })
	for after, want := range map[string]int{"": 3, "h1": 2, "h2": 1, "h4": 0, "z": 0, strings.Repeat("z", 1<<20): 0} {
		if got := Hosts(s, &subjects.HostsAsk{After: after}).Hosts; len(got) != want {
			t.Errorf("behind %.10q are %d hosts, want %d", after, len(got), want)
		}
	}
}

func TestModelPagesListEveryModelOnce(t *testing.T) {
	const models = 2200
	s := folded(t, models, func(i int) subjects.Event {
		return &subjects.Fitted{Type: fmt.Sprintf("m%04d", i%1200), A: float64(i)}
	})
	seen := 0
	for ask := (subjects.ModelsAsk{}); ; {
		answer := Models(s, &ask)
		for _, m := range answer.Models {
			if m.Fitted != s.Model(m.Model) || m.Model <= ask.After {
				t.Fatalf("model %s behind %q = %+v, want its own fit, in order", m.Model, ask.After, m.Fitted)
			}
			seen++
		}
		if ask.After = answer.Next; ask.After == "" {
			break
		}
	}
	if seen != len(s.Types()) {
		t.Errorf("models on all pages = %d, want %d", seen, len(s.Types()))
	}
}

// Lists leave out a host that was given up until it joins again, also in a fold that continues from
// a snapshot. For a lost host, the log has the time of its last heartbeat.
func TestAHostThatWasGivenUpIsNotListed(t *testing.T) {
	s, at := ledger.New(), time.Unix(1000, 0)
	say := func(seq uint64, e subjects.Event) {
		t.Helper()
		if v := s.Apply(seq, at, e); v.Outcome == ledger.Void {
			t.Fatal(v.Why)
		}
		s = again(t, s)
	}
	listed := func() []subjects.HostLine { return Hosts(s, &subjects.HostsAsk{}).Hosts }
	say(1, &subjects.Joined{Host: "a", Slots: 1})
	if l := listed(); len(l) != 1 || l[0].Heard != 0 {
		t.Errorf("after Joined: %+v, want one host, not heard since", l)
	}
	say(2, &subjects.Lost{Host: "a", Term: 1, Silence: 16})
	if l := listed(); len(l) != 1 || l[0].Heard != time.Unix(984, 0).UnixNano() {
		t.Errorf("after Lost: %+v, want one host, heard at 984 s", l)
	}
	say(3, &subjects.Drained{Host: "a", Forget: true})
	if l := listed(); len(l) != 0 {
		t.Errorf("after Drained with Forget: %+v, want no host", l)
	}
	say(4, &subjects.Joined{Host: "a", Slots: 1})
	if l := listed(); len(l) != 1 || l[0].State != "up" || l[0].Heard != 0 {
		t.Errorf("after Joined again: %+v, want one host, up", l)
	}
}

// again is a state that continues from another one's snapshot.
func again(t *testing.T, s *ledger.State) *ledger.State {
	t.Helper()
	body, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored := ledger.New()
	if err := restored.Restore(body); err != nil {
		t.Fatal(err)
	}
	return restored
}
