package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// The slotter knows the same hosts as the ledger, even after the ledger has forgotten those that
// are away for good: its snapshot lists what is idle on each.
func TestHostsThatTheLedgerForgotAreForgotten(t *testing.T) {
	a, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	seq, now := uint64(0), time.Unix(1e9, 0)
	say := func(e subjects.Event) {
		seq, now = seq+1, now.Add(time.Hour)
		a.Step(actors.Input{Now: now, Entry: &actors.Entry{Seq: seq, Time: now, Event: e}})
	}
	for i := range 2000 {
		name := fmt.Sprintf("machine-%d", i)
		say(&subjects.Joined{Host: name, Cores: 1, Slots: 1})
		say(&subjects.Left{Host: name, Term: seq})
	}
	hosts := a.facts.Ledger.Hosts()
	if len(hosts) == 2000 {
		t.Fatalf("hosts in the ledger = %d, want some forgotten", len(hosts))
	}
	if len(a.facts.Hosts.ByName) != len(hosts) || len(a.facts.Hosts.Of) != len(hosts) {
		t.Errorf("hosts known by name, by life = %d, %d, want %d as in the ledger", len(a.facts.Hosts.ByName), len(a.facts.Hosts.Of), len(hosts))
	}
	b, err := a.Snapshot()
	if err == nil {
		err = a.Restore(b)
	}
	if err != nil {
		t.Error(err)
	}
}
