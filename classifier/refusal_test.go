package classifier

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/classifier/classes"
	"lull/classifier/generation"
	"lull/classifier/study"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/profile"
)

// learn has the waiting Learn find tenants and classes that a test made up.
func (w *world) learn(tenants []generation.Tenant, of []generation.Class) {
	w.t.Helper()
	if len(w.acts) != 1 {
		w.t.Fatalf("%d actions wait, want a Learn: %+v", len(w.acts), w.acts)
	}
	l := w.acts[0].(Learn)
	w.acts = nil
	found := study.Found{Generation: generation.Generation{Tenants: tenants, Classes: of}, Names: classes.State{Named: len(of)}}
	w.step(actors.Input{Report: Learned{Learn: l, Hosts: len(tenants), Found: found}})
}

func tenantsCalled(prefix string, n int) (all []generation.Tenant) {
	for i := range n {
		all = append(all, generation.Tenant{Name: fmt.Sprintf("%s%06d", prefix, i), Profile: profile.Profile{Pattern: profile.Unpredictable, Peak: 1}})
	}
	return all
}

// end decides until a generation has ended, or nothing more is decided.
func (w *world) end() *subjects.PoolClassified {
	for range 1000 {
		events := w.decide()
		if len(events) == 0 {
			return nil
		}
		if end, ok := events[len(events)-1].(*subjects.PoolClassified); ok {
			if _, looks := w.acts[0].(Look); looks {
				w.act()
			}
			return end
		}
	}
	w.t.Fatal("the classifier decides without end, want the end of a generation")
	return nil
}

func (w *world) known() int { return len(slices.Collect(w.actor.tenants.All())) }

func TestAGenerationHoldsWhatTheLogAccepts(t *testing.T) {
	w := newWorld(t)
	w.decide()
	w.learn(tenantsCalled("a", ledger.MostTenants+5000), nil)
	if end := w.end(); end == nil || end.Tenants != ledger.MostTenants || w.known() != ledger.MostTenants {
		t.Fatalf("tenants known = %d, end %+v, want %d", w.known(), end, ledger.MostTenants)
	}
	// All of them are renamed: they go first, and the others come in a second generation.
	w.now = w.now.AddDate(0, 0, 2)
	w.decide()
	w.learn(tenantsCalled("b", ledger.MostTenants), nil)
	if end := w.end(); end == nil || w.known() != int(end.Tenants) {
		t.Fatalf("tenants known = %d, end %+v, want as many as it says", w.known(), end)
	}
	w.learn(tenantsCalled("b", ledger.MostTenants), nil)
	if end := w.end(); end == nil || w.known() != ledger.MostTenants || w.actor.tenants.Of("a000000") != nil {
		t.Fatalf("tenants known = %d, end %+v, want %d without the first ones", w.known(), end, ledger.MostTenants)
	}
	if w.decide(); len(w.acts) > 0 {
		t.Errorf("actions after the second generation = %+v, want none", w.acts)
	}
}

// TestAVoidGenerationIsFollowedByAPause: another writer's event makes the generation void.
func TestAVoidGenerationIsFollowedByAPause(t *testing.T) {
	for _, when := range []string{"before its tenants", "before its end"} {
		w := newWorld(t)
		w.decide()
		w.learn(tenantsCalled("a", 3), nil)
		if when == "before its end" {
			w.decide()
		}
		w.enter(&subjects.Classified{Tenant: "x", Generation: uint64(w.now.Unix()) + 1000})
		for range 10 {
			w.decide()
		}
		if w.known() != 0 || w.actor.pending != nil || len(w.acts) > 0 {
			t.Fatalf("void %s: %d tenants, pending %v, actions %v, want nothing left", when, w.known(), w.actor.pending, w.acts)
		}
		w.now = w.now.Add(refusedPause)
		w.decide()
		w.learn(tenantsCalled("a", 3), nil)
		if w.end() == nil || w.known() != 3 {
			t.Errorf("void %s: tenants known after the next generation = %d, want 3", when, w.known())
		}
	}
}

// TestAGenerationFollowsOneOfALaterClock: a leader that died within a generation had a clock ahead
// of this one's.
func TestAGenerationFollowsOneOfALaterClock(t *testing.T) {
	w := newWorld(t)
	w.enter(&subjects.Classified{Tenant: "x", Generation: uint64(w.now.AddDate(1, 0, 0).Unix())})
	w.lead()
	w.decide()
	w.learn(tenantsCalled("a", 3), nil)
	if w.end() == nil || w.known() != 3 {
		t.Errorf("tenants known = %d, want 3", w.known())
	}
}

// TestWhatTheLogRefusesIsLeftOut: a tenant that no event can hold, and too many classes.
func TestWhatTheLogRefusesIsLeftOut(t *testing.T) {
	w := newWorld(t)
	w.decide()
	tenants := tenantsCalled("a", 3)
	tenants[1].Name = strings.Repeat("x", 1000)
	var of []generation.Class
	for i := range subjects.MaxClasses + 5 {
		c := generation.Class{Class: classes.Class{Name: fmt.Sprintf("constant-%d", i), Members: make([]string, 1+i)}, Center: "a000000"}
		of = append(of, c)
	}
	tenants[0].Class, tenants[2].Class = "constant-0", "constant-1004"
	w.learn(tenants, of)
	end := w.end()
	if end == nil {
		end = w.end()
	}
	if end == nil || end.Tenants != 2 || w.known() != 2 || len(end.Classes) != subjects.MaxClasses {
		t.Fatalf("tenants known = %d after %+v, want 2 and %d classes", w.known(), end, subjects.MaxClasses)
	}
	if a, c := w.actor.tenants.Of("a000000").Class, w.actor.tenants.Of("a000002").Class; a != "" || c != "constant-1004" {
		t.Errorf("classes = %q, %q, want the smallest left out: none, constant-1004", a, c)
	}
}

func TestAnEndThatTheLogRefusesIsFollowedByAPause(t *testing.T) {
	w := newWorld(t)
	w.decide()
	w.learn(tenantsCalled("a", 2), []generation.Class{{Class: classes.Class{Name: "no class"}}})
	for range 5 {
		w.decide()
	}
	if w.actor.pending != nil || len(w.acts) > 0 {
		t.Errorf("pending %v, actions %v, want none before the pause ends", w.actor.pending, w.acts)
	}
	w.now = w.now.Add(refusedPause)
	if w.decide(); len(w.acts) != 1 {
		t.Errorf("actions after the pause = %v, want one", w.acts)
	}
}

// TestAReportOfAnEarlierGenerationIsDropped: another leader ended one meanwhile.
func TestAReportOfAnEarlierGenerationIsDropped(t *testing.T) {
	w := newWorld(t)
	w.decide()
	late := w.acts[0].(Learn)
	w.acts = nil
	w.enter(&subjects.Led{Actor: Name, Partition: subjects.WholePool, Instance: "other"})
	other := late.At.Unix() + 5
	w.enter(&subjects.PoolClassified{Generation: uint64(other), At: late.At.UnixNano(), Named: 1, Classes: []subjects.TenantClass{{Name: "constant-1"}}})
	w.lead()
	found := study.Found{
		Generation: generation.Generation{Tenants: tenantsCalled("a", 3), Classes: []generation.Class{{Class: classes.Class{Name: "constant-1"}}}},
		Names:      classes.State{Named: 1},
	}
	w.step(actors.Input{Report: Learned{Learn: late, Found: found}})
	if end := w.end(); end != nil || w.actor.pending != nil {
		t.Errorf("end = %+v, want none, since constant-1 was given before", end)
	}
	w.step(actors.Input{Report: Looked{Base: late.Base, Changed: map[string]time.Time{"x": w.now}}})
	if len(w.actor.changed) > 0 {
		t.Errorf("changed = %v by drift from an earlier generation, want none", w.actor.changed)
	}
}

// TestALeadersOwnTermKeepsItsGeneration: a term is renewed, or opened again after a batch in doubt.
func TestALeadersOwnTermKeepsItsGeneration(t *testing.T) {
	w := newWorld(t)
	w.decide()
	w.learn(tenantsCalled("a", 2*batch), nil)
	w.decide()
	w.lead()
	if w.end() == nil || w.known() != 2*batch || len(w.acts) > 0 {
		t.Errorf("tenants known = %d, actions %v, want %d, none", w.known(), w.acts, 2*batch)
	}
}

// TestNamesAreNotGivenAgainAfterAGap: the log was trimmed before this instance had folded it.
func TestNamesAreNotGivenAgainAfterAGap(t *testing.T) {
	w := newWorld(t)
	w.actor.Gap()
	body, err := w.actor.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.actor.Restore(body); err != nil {
		t.Fatal(err)
	}
	w.lead()
	w.days(0, 5)
	w.now = monday.AddDate(0, 0, 5).Add(2 * time.Hour)
	w.settle()
	class := w.actor.tenants.Of("host:c").Class
	if n := 0; class == "" || w.actor.gap {
		t.Errorf("class %q, gap %v, want one, false", class, w.actor.gap)
	} else if _, err := fmt.Sscanf(class, "constant-%d", &n); err != nil || n < 200_000 {
		t.Errorf("name = %s, %v, want a number from 200000 on, not given before", class, err)
	}
	if named := w.actor.known(w.now).Names.Named; named > unusedNumber(w.now)+10 {
		t.Errorf("names given = %d, want at most %d", named, unusedNumber(w.now)+10)
	}
}

// TestAnUpgradedServiceGetsTheEventsAgain: an older slotter passed over what was said, and the newer one goes
// on from its snapshot.
func TestAnUpgradedServiceGetsTheEventsAgain(t *testing.T) {
	slotter := func(format uint32) *subjects.Led {
		return &subjects.Led{Actor: "slotter", Partition: subjects.WholePool, Instance: fmt.Sprint("s", format), Format: format}
	}
	w := newWorld(t)
	w.enter(slotter(subjects.FormatTenants - 1))
	w.days(0, 4)
	w.now = monday.AddDate(0, 0, 4).Add(2 * time.Hour)
	w.settle()
	w.now = w.now.Add(time.Minute)
	w.enter(slotter(subjects.FormatTenants))
	body, err := w.actor.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.actor.Restore(body); err != nil {
		t.Fatal(err)
	}
	w.lead()
	ended := w.settle()
	if len(ended) != 1 || ended[0].Why != subjects.ClassifiedAgain || ended[0].Changed != ended[0].Tenants || ended[0].Tenants != 2 {
		t.Fatalf("generations after the upgrade = %+v, want one, again, of both tenants", ended)
	}
	w.now = w.now.Add(time.Minute)
	if ended = w.settle(); len(ended) > 0 {
		t.Errorf("generations a minute later = %+v, want none", ended)
	}
	w.enter(slotter(subjects.FormatTenants)) // a further term
	if ended = w.settle(); len(ended) > 0 {
		t.Errorf("generations for a slotter that knows all = %+v, want none", ended)
	}
	// A second downgrade and upgrade, the latter while a generation is on its way.
	w.enter(slotter(subjects.FormatTenants - 1))
	w.ask("now", false)
	w.decide()
	w.learn(tenantsCalled("a", batch+1), nil)
	w.decide()
	w.enter(slotter(subjects.FormatTenants))
	if end := w.end(); end == nil || !w.actor.readers.Lack {
		t.Errorf("end = %+v, readers lack %v, want true: the slotter came later", end, w.actor.readers.Lack)
	}
}
