package ledger

import (
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/ledger/harm"
)

// second is a time of the script's log, in which entry n comes at second n.
func second(n float64) int64 { return int64(n * 1e9) }

func harmed(from, to float64) *subjects.Harmed {
	return &subjects.Harmed{
		Host: "h", Term: 1, Tenant: "shop", From: second(from), To: second(to),
		Harvested: 100, Primary: 50, Delay: 0.5, Sensor: "eBPF", Budget: 0.02, Evictions: 1,
	}
}

func onlyAccount(t *testing.T, s *State) *harm.Account {
	t.Helper()
	accounts := slices.Collect(s.HarmAccounts())
	if len(accounts) != 1 {
		t.Fatalf("%d accounts, want 1", len(accounts))
	}
	return accounts[0]
}

func TestAnIntervalIsCountedOnce(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, harmed(0, 1), harmed(1, 2))
	for _, again := range []*subjects.Harmed{harmed(1, 2), harmed(0, 1), harmed(1.5, 3)} {
		if v := sc.say(again); v.Why != "it was counted before, in part at least" {
			t.Errorf("Harmed from %d on, which overlaps = %+v, want void as counted before", again.From, v)
		}
	}
	account := onlyAccount(t, sc.s)
	if want := (harm.Sum{Harvested: 200, Primary: 100, Sensed: 100, Delay: 1, Allowed: 2, Evictions: 2}); account.Total != want || account.Sensor != "eBPF" {
		t.Errorf("account = %+v, want %+v", account, want)
	}
	if rate, budget, ok := account.Total.Rate(); rate != 0.01 || budget != 0.02 || !ok {
		t.Errorf("Rate() = %g, %g, %v, want 0.01, 0.02, true", rate, budget, ok)
	}
}

func TestOnlyTheLastIncarnationIsBelieved(t *testing.T) {
	sc := &script{t, New()}
	if v := sc.say(harmed(0, 1)); v.Outcome != Void {
		t.Errorf("Harmed of an unknown host = %+v, want void", v)
	}
	sc.must(joined, joined) // terms 2 and 3
	old := harmed(0, 1)
	old.Term = 2
	if v := sc.say(old); v.Outcome != Void {
		t.Errorf("Harmed of an earlier term = %+v, want void", v)
	}
	old.Term = 3
	sc.must(old)
	sc.must(joined)
	old.Term = 6
	if v := sc.say(old); v.Outcome != Void {
		t.Errorf("the same Harmed in the next term = %+v, want void", v)
	}
}

func TestAnIntervalOfTheFutureIsVoid(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined)
	if v := sc.say(harmed(0, 1000)); v.Why != "it has not ended yet" {
		t.Errorf("Harmed up to a time to come = %+v, want void as not ended yet", v)
	}
	sc.must(harmed(1, 2)) // it would be void for ever if the other counted
}

func TestWithoutASensorThereIsNoRate(t *testing.T) {
	sc := &script{t, New()}
	blind := harmed(0, 1)
	blind.Sensor, blind.Delay = "", 0
	sc.must(joined, blind)
	account := onlyAccount(t, sc.s)
	if _, _, ok := account.Total.Rate(); ok || account.Total.Harvested != 100 || account.Total.Evictions != 1 {
		t.Errorf("account without a sensor = %+v, want 100 harvested, 1 eviction and no rate", account.Total)
	}
	sc.must(harmed(1, 2)) // a sensor from here on: its rate is of the time it saw
	if rate, _, ok := account.Total.Rate(); rate != 0.01 || !ok {
		t.Errorf("Rate() = %g, %v, want 0.01, true: of the time with a sensor", rate, ok)
	}
}

// What a report names as its tenant is the word of the host's key: the account is that of the tenant which the host has.
func TestHarmAccountsAreByTenantAndHost(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, other)
	for i, who := range [][2]string{{"mail", "h"}, {"shop", "g"}, {"mail", "g"}, {"", "h"}, {"mail", "g"}} {
		list := []subjects.OwnedHosts{{Tenant: "bank", Hosts: []string{"x"}}}
		if who[0] != "" {
			list = append(list, subjects.OwnedHosts{Tenant: who[0], Hosts: []string{who[1]}})
		}
		e := harmed(float64(i)/8, float64(i+1)/8)
		e.Tenant, e.Host = "bank", who[1]
		if e.Host == "g" {
			e.Term = 2
		}
		sc.must(&subjects.Owned{Tenants: list}, e)
	}
	var got []string
	for account := range sc.s.HarmAccounts() {
		got = append(got, account.Tenant+"@"+account.Host)
	}
	if want := []string{"@h", "mail@g", "mail@h", "shop@g"}; !slices.Equal(got, want) {
		t.Errorf("accounts = %v, want %v", got, want)
	}
}
