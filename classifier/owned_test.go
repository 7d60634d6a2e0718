package classifier

import (
	"math"
	"testing"
	"time"

	"lull/subjects"
)

// busy is what an attacker wants another tenant to seem to use.
func busy(time.Time) float64 { return 0.9 }

// attacked is a pool with two weeks of history of shop, on hosts a and b, and of a forger's host: it names shop in
// all of its blocks.
func attacked(t *testing.T, joins string) *world {
	w := newWorld(t)
	w.settle()
	w.enterAt(monday, &subjects.Joined{Host: "forger", Instance: "i", Tenant: joins})
	w.days(0, 14)
	for d := range 14 {
		w.write("forger", "shop", monday.AddDate(0, 0, d), busy)
	}
	w.now = monday.AddDate(0, 0, 14).Add(2 * time.Hour)
	return w
}

// expect checks the average and the pattern of tenants: NaN for a tenant that is not to be known.
func (w *world) expect(when string, averages map[string]float64) {
	w.t.Helper()
	for tenant, want := range averages {
		got := math.NaN()
		if known := w.actor.tenants.Of(tenant); known != nil {
			got = known.Profile.Average
		}
		if !(math.Abs(got-want) < 0.03) && !(math.IsNaN(got) && math.IsNaN(want)) {
			w.t.Errorf("%s: average of %s = %.2f, want %.2f", when, tenant, got, want)
		}
	}
}

func owned(tenants ...subjects.OwnedHosts) *subjects.Owned { return &subjects.Owned{Tenants: tenants} }

// Blocks of a host's key that name another tenant move neither its average nor its class.
func TestAHostCannotWriteHistoryOfAnotherTenant(t *testing.T) {
	honest := newWorld(t)
	honest.settle()
	honest.days(0, 14)
	honest.now = monday.AddDate(0, 0, 14).Add(2 * time.Hour)
	honest.settle()
	want := honest.actor.tenants.Of("shop")
	w := attacked(t, "")
	w.settle()
	w.expect("after forged blocks", map[string]float64{"shop": 0.3, "host:forger": 0.9, "host:c": 0.2})
	got := w.actor.tenants.Of("shop")
	if got.Profile.Average != want.Profile.Average || got.Profile.Peak != want.Profile.Peak || got.Profile.Pattern != want.Profile.Pattern {
		t.Errorf("shop is %v, average %v, peak %v, want %v, %v, %v as without the forger", got.Profile.Pattern, got.Profile.Average, got.Profile.Peak,
			want.Profile.Pattern, want.Profile.Average, want.Profile.Peak)
	}
}

// A host whose join the classifier has not seen counts for itself: what its blocks name is no answer.
func TestAHostThatNeverJoinedIsItsOwnTenant(t *testing.T) {
	w := newWorld(t)
	w.settle()
	w.days(0, 14)
	for d := range 14 {
		w.write("forger", "shop", monday.AddDate(0, 0, d), busy)
	}
	w.now = monday.AddDate(0, 0, 14).Add(2 * time.Hour)
	w.settle()
	w.expect("with blocks of a host that never joined", map[string]float64{"shop": 0.3, "host:forger": 0.9})
}

// A host that names another host's own tenant does not get it.
func TestNoHostJoinsAsAnotherHost(t *testing.T) {
	w := attacked(t, "host:c")
	w.settle()
	w.expect("after a join as host:c", map[string]float64{"host:c": 0.2, "host:forger": 0.9})
}

// Without a list of an operator a host is believed when it joins. A list takes effect at once, and for what was recorded before it.
func TestAnOperatorEndsAFalseClaim(t *testing.T) {
	w := attacked(t, "shop")
	w.settle()
	w.expect("after a join as shop", map[string]float64{"shop": 0.5, "host:forger": math.NaN()})
	w.now = w.now.Add(time.Minute)
	w.enter(owned(subjects.OwnedHosts{Tenant: "shop", Hosts: []string{"a", "b"}}))
	ended := w.settle()
	if len(ended) != 1 || ended[0].Why != subjects.ClassifiedOwned {
		t.Fatalf("generations after an operator listed tenants = %+v, want one, for that", ended)
	}
	w.expect("after the list", map[string]float64{"shop": 0.3, "host:forger": 0.9})
	if ended := w.settle(); len(ended) != 0 {
		t.Errorf("further generations = %+v, want none", ended)
	}
	w.enter(&subjects.Joined{Host: "forger", Instance: "j", Tenant: "shop"})
	w.write("forger", "shop", monday.AddDate(0, 0, 14), busy)
	w.days(14, 1)
	w.sleep(26 * time.Hour)
	w.expect("after the forger joined again", map[string]float64{"shop": 0.3, "host:forger": 0.9})
}

// A host that an operator gives to another tenant counts for each in its time. The next leader, from a snapshot, counts alike.
func TestAHostChangesItsTenant(t *testing.T) {
	w := newWorld(t)
	w.settle()
	w.enter(owned(subjects.OwnedHosts{Tenant: "shop", Hosts: []string{"a", "b"}}))
	w.days(0, 10)
	w.now = monday.AddDate(0, 0, 10)
	w.enter(owned(subjects.OwnedHosts{Tenant: "mail", Hosts: []string{"b"}}, subjects.OwnedHosts{Tenant: "shop", Hosts: []string{"a"}}))
	for d := 10; d < 14; d++ {
		day := monday.AddDate(0, 0, d)
		w.live("a", "shop", day, wave)
		w.live("b", "shop", day, busy) // its agent was not told
	}
	body, err := w.actor.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	w.actor, w.acts = New(Config{Seed: 8}), nil
	if err := w.actor.Restore(body); err != nil {
		t.Fatal(err)
	}
	w.now = monday.AddDate(0, 0, 14).Add(2 * time.Hour)
	w.lead()
	w.settle()
	w.expect("days after the change", map[string]float64{"shop": 0.3, "mail": 0.9})
	if mail := w.actor.tenants.Of("mail"); mail.Profile.From != monday.AddDate(0, 0, 10).Unix() {
		t.Errorf("mail is learnt from %v on, want from the change on", time.Unix(mail.Profile.From, 0).UTC())
	}
}

// A list that comes while a generation is made is counted with by another one.
func TestAListThatComesMeanwhileIsNotMissed(t *testing.T) {
	w := attacked(t, "shop")
	w.settle()
	w.ask("now", false)
	w.decide() // the shell learns
	w.enter(owned(subjects.OwnedHosts{Tenant: "shop", Hosts: []string{"a", "b"}}))
	if ended := w.settle(); len(ended) != 2 || ended[1].Why != subjects.ClassifiedOwned {
		t.Errorf("generations = %+v, want the one that was asked for, and one with the list", ended)
	}
	w.expect("after both", map[string]float64{"shop": 0.3, "host:forger": 0.9})
}
