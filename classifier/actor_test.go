package classifier

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/classifier/archive"
	"lull/classifier/study"
	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/profile"
)

var monday = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// world is a pool with history: a log, one leader, and its shell.
type world struct {
	t     *testing.T
	actor *Actor
	now   time.Time
	term  uint64
	seq   uint64
	log   []subjects.Event
	kept  *archive.Archive
	named map[string]string // the tenant that each host named when it joined last
	acts  []actors.Action
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, actor: New(Config{Seed: 7}), now: monday, kept: archive.New(), named: map[string]string{}}
	w.lead()
	return w
}

// lead begins a new term.
func (w *world) lead() {
	w.term = w.seq + 1
	w.enter(&subjects.Led{Actor: Name, Partition: subjects.WholePool, Instance: "i"})
}

func (w *world) enter(e subjects.Event) { w.enterAt(w.now, e) }

func (w *world) enterAt(at time.Time, e subjects.Event) {
	w.seq++
	w.log = append(w.log, e)
	w.step(actors.Input{Entry: &actors.Entry{Seq: w.seq, Time: at, Event: e}})
}

// step gives the actor an input. Actions wait in acts.
func (w *world) step(in actors.Input) []subjects.Event {
	in.Now, in.Term = w.now, w.term
	out := w.actor.Step(in)
	w.acts = append(w.acts, out.Actions...)
	return out.Events
}

// decide runs one decision of the actor, and appends its events to the log.
func (w *world) decide() []subjects.Event {
	events := w.step(actors.Input{Decide: true})
	for _, e := range events {
		if _, err := subjects.Encode("test", e); err != nil {
			w.step(actors.Input{Refused: &actors.Refused{Event: e, Why: err.Error()}})
			return events
		}
		w.enter(e)
	}
	return events
}

// act performs the waiting actions as the shell does.
func (w *world) act() {
	acts := w.acts
	w.acts = nil
	for _, action := range acts {
		switch action := action.(type) {
		case Learn:
			w.kept.Forget(action.At.AddDate(0, 0, -history.Days))
			found, err := study.Classify(w.kept, action.At, action.Known, action.Seed)
			w.step(actors.Input{Report: Learned{Learn: action, Hosts: w.kept.Hosts(), Found: found, Err: err}})
		case Look:
			changed, err := study.Drifted(w.kept, action.At, action.Known)
			w.step(actors.Input{Report: Looked{action.Base, changed, err}})
		}
	}
}

// settle runs the actor at one time until nothing is left to do. It returns the generations that
// ended.
func (w *world) settle() (ended []*subjects.PoolClassified) {
	for range 100 {
		events := w.decide()
		for _, e := range events {
			if end, ok := e.(*subjects.PoolClassified); ok {
				ended = append(ended, end)
			}
		}
		if len(events) == 0 && len(w.acts) == 0 {
			return ended
		}
		w.act()
	}
	w.t.Fatal("the classifier decides without end, want it to rest")
	return nil
}

// sleep advances time, hour by hour.
func (w *world) sleep(d time.Duration) (ended []*subjects.PoolClassified) {
	for end := w.now.Add(d); w.now.Before(end); {
		w.now = w.now.Add(time.Hour)
		ended = append(ended, w.settle()...)
	}
	return ended
}

// wave is a day with a peak, still an even one.
func wave(at time.Time) float64 {
	return 0.3 - 0.2*math.Cos(2*math.Pi*float64(at.Hour()*60+at.Minute())/1440)
}

func still(time.Time) float64 { return 0.2 }

// live writes a host's history of a day, which it begins by joining with its tenant, if it has another one than before.
func (w *world) live(host, tenant string, day time.Time, usage func(time.Time) float64) {
	if was, joined := w.named[host]; !joined || was != tenant {
		w.named[host] = tenant
		w.enterAt(day, &subjects.Joined{Host: host, Instance: "i", Tenant: tenant})
	}
	w.write(host, tenant, day, usage)
}

// write writes a host's history of a day, in a block that names a tenant.
func (w *world) write(host, tenant string, day time.Time, usage func(time.Time) float64) {
	b := &history.Block{From: history.Slot(day)}
	for i := range history.PerDay {
		at := day.Add(time.Duration(i) * history.Step)
		used := history.Thousandths(usage(at) + 0.002*float64(i%5))
		b.Put(history.Slot(at), history.Sample{Mean: used, Peak: used, Seconds: 120}, history.Owner{Tenant: tenant, Cores: 8})
	}
	w.kept.Put(host, b, b.Append(nil))
}

// days writes the history of two tenants for so many days from a day on.
func (w *world) days(from, n int) {
	for d := from; d < from+n; d++ {
		day := monday.AddDate(0, 0, d)
		w.live("a", "shop", day, wave)
		w.live("b", "shop", day, wave)
		w.live("c", "", day, still)
	}
}

func TestTenantsAreClassifiedDaily(t *testing.T) {
	w := newWorld(t)
	if ended := w.settle(); len(ended) != 0 {
		t.Fatalf("generations of an empty pool = %+v, want none", ended)
	}
	w.days(0, 14)
	w.now = monday.AddDate(0, 0, 14).Add(2 * time.Hour)
	ended := w.settle()
	if len(ended) != 1 || ended[0].Changed != 2 || ended[0].Tenants != 2 || ended[0].Why != subjects.ClassifiedDaily || len(ended[0].Classes) != 2 {
		t.Fatalf("first generation = %+v, want one, daily, of two tenants in two classes", ended)
	}
	shop, c := w.actor.tenants.Of("shop"), w.actor.tenants.Of("host:c")
	if shop == nil || shop.Profile.Pattern != profile.Periodic || shop.Class != "periodic-2" && shop.Class != "periodic-1" || math.Abs(shop.Profile.Average-0.3) > 0.02 {
		t.Errorf("shop = %+v, want periodic with an average of 0.3", shop)
	}
	if c == nil || c.Profile.Pattern != profile.Constant || math.Abs(c.Profile.Peak-0.2) > 0.02 {
		t.Errorf("the host without a tenant = %+v, want constant with a peak of 0.2", c)
	}
	// A day later nothing has changed: the generation says so in one event.
	w.days(14, 1)
	before := len(w.log)
	if ended = w.sleep(26 * time.Hour); len(ended) != 1 || ended[0].Changed != 0 || len(w.log) != before+1 {
		t.Errorf("generations after an unchanged day = %+v with %d events, want one without changes, 1", ended, len(w.log)-before)
	}
	if class := w.actor.tenants.Of("shop").Class; w.actor.tenants.Class(class) == nil {
		t.Errorf("Class(%q) after the next generation = nil, want it known", class)
	}
}

// TestDaysThatAreImportedLaterCount imports the days before the one from which tenants were first classified.
func TestDaysThatAreImportedLaterCount(t *testing.T) {
	w := newWorld(t)
	w.settle()
	w.days(13, 1)
	w.now = monday.AddDate(0, 0, 14).Add(2 * time.Hour)
	w.settle()
	if shop := w.actor.tenants.Of("shop"); shop == nil || shop.Class != "" {
		t.Fatalf("shop after one day = %+v, want it known and in no class", shop)
	}
	w.days(0, 13)
	w.days(14, 1)
	w.sleep(26 * time.Hour)
	if shop := w.actor.tenants.Of("shop"); shop.Profile.Pattern != profile.Periodic || shop.Profile.From > monday.AddDate(0, 0, 1).Unix() {
		t.Errorf("shop with two weeks before it = %+v, want periodic from the first day on", shop)
	}
}

// TestAGenerationCountsWholeOrNotAtAll ends the leader after each event of a generation.
func TestAGenerationCountsWholeOrNotAtAll(t *testing.T) {
	for cut := 1; ; cut++ {
		w := newWorld(t)
		for i := range 20 {
			for d := range 4 {
				w.live(fmt.Sprint("h", i), fmt.Sprint("t", i), monday.AddDate(0, 0, d), still)
			}
		}
		w.now = monday.AddDate(0, 0, 4).Add(2 * time.Hour)
		w.decide()
		w.act()
		events := w.step(actors.Input{Decide: true})
		end := w.actor.pending.end
		if events = append(events, end); cut > len(events) {
			if cut < 20 {
				t.Fatalf("events of a generation of 20 tenants = %d, want at least 20", len(events))
			}
			return
		}
		for _, e := range events[:cut] {
			w.enter(e)
		}
		known := len(slices.Collect(w.actor.tenants.All()))
		if want := map[bool]int{true: 20}[cut == len(events)]; known != want {
			t.Fatalf("after %d of %d events %d tenants are known, want %d", cut, len(events), known, want)
		}
		// Another instance leads: from a snapshot and from the log.
		body, err := w.actor.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		w.actor = New(Config{Seed: 8})
		if err := w.actor.Restore(body); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(time.Minute)
		w.lead()
		w.settle()
		replay := New(Config{})
		for _, e := range w.log {
			replay.fold(w.now, &actors.Entry{Time: w.now, Event: e})
		}
		for _, a := range []*Actor{w.actor, replay} {
			if n := len(slices.Collect(a.tenants.All())); n != 20 || a.tenants.Last() == nil {
				t.Fatalf("cut after %d events: the next leader knows %d tenants, want 20 and the generation ended", cut, n)
			}
		}
	}
}

func TestATenantThatChangesIsClassifiedAnewWithinHours(t *testing.T) {
	w := newWorld(t)
	w.days(0, 10)
	w.now = monday.AddDate(0, 0, 10).Add(2 * time.Hour)
	w.settle()
	day := monday.AddDate(0, 0, 10)
	w.live("a", "shop", day, wave)
	w.live("b", "shop", day, wave)
	w.live("c", "", day, func(time.Time) float64 { return 0.8 })
	ended := w.sleep(8 * time.Hour)
	if len(ended) != 1 || ended[0].Why != subjects.ClassifiedDrift {
		t.Fatalf("generations after a host uses four times as much = %+v, want one, for drift", ended)
	}
	if c := w.actor.tenants.Of("host:c"); c.Class != "" || c.Profile.Peak != 1 || c.Profile.Pattern != profile.Unpredictable {
		t.Errorf("the changed host = %+v, want no class, a peak of 1, unpredictable", c)
	}
	// Three days later it is known again, by what it did since.
	for d := 11; d < 15; d++ {
		w.days(d, 1)
		w.live("c", "", monday.AddDate(0, 0, d), func(time.Time) float64 { return 0.8 })
	}
	w.sleep(4 * 24 * time.Hour)
	if c := w.actor.tenants.Of("host:c"); c.Class == "" || math.Abs(c.Profile.Average-0.8) > 0.03 {
		t.Errorf("the changed host days later = class %q, average %v, want one, 0.8", c.Class, c.Profile.Average)
	}
}

func TestATenantWithoutSamplesIsForgotten(t *testing.T) {
	w := newWorld(t)
	w.days(0, 3)
	w.now = monday.AddDate(0, 0, 3).Add(2 * time.Hour)
	w.settle()
	w.kept = archive.New()
	if ended := w.sleep(26 * time.Hour); len(ended) != 1 || ended[0].Changed != 2 {
		t.Fatalf("generations without samples = %+v, want one with two changes", ended)
	}
	for learnt := range w.actor.tenants.All() {
		t.Errorf("tenant still known: %+v, want none", learnt)
	}
}

// ask asks as a client does.
func (w *world) ask(id string, dry bool) (answer subjects.ClassifyAnswer) {
	w.t.Helper()
	body, err := subjects.Marshal(&subjects.ClassifyAsk{ID: id, Dry: dry})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := subjects.Unmarshal(w.actor.Answer(subjects.AskClassify, body), &answer); err != nil {
		w.t.Fatal(err)
	}
	return answer
}

func TestClientsAskForAGeneration(t *testing.T) {
	w := newWorld(t)
	w.settle() // an empty pool is looked at again in five minutes
	w.days(0, 5)
	w.now = monday.AddDate(0, 0, 5).Add(2 * time.Hour)
	if a := w.ask("dry", true); a.Done || a.Error != "" {
		t.Fatalf("first answer of a dry run = %+v, want it not done and no error", a)
	}
	if a := w.ask("other", false); a.Error == "" {
		t.Errorf("answer to a second client at once = %+v, want an error", a)
	}
	w.decide()
	w.act()
	a := w.ask("dry", true)
	if !a.Done || a.Changed != 2 || a.Hosts != 3 || len(a.Changes) != 2 || a.Changes[1].Tenant != "shop" || a.Changes[1].After == "" {
		t.Errorf("dry run = %+v, want done with two changes, the second of shop", a)
	}
	if w.actor.tenants.Last() != nil || w.actor.pending != nil {
		t.Errorf("after a dry run: generation %+v, pending %+v, want none", w.actor.tenants.Last(), w.actor.pending)
	}
	w.settle() // the first daily one
	w.ask("now", false)
	if ended := w.settle(); len(ended) != 1 || ended[0].Why != subjects.ClassifiedAsked || ended[0].Asked != "now" {
		t.Errorf("generations when asked = %+v, want one, asked for by now", ended)
	}
	if a := w.ask("now", false); !a.Done || a.Changed != 0 {
		t.Errorf("answer after the end = %+v, want done without changes", a)
	}
	if a := w.ask("", false); a.Error == "" {
		t.Errorf("answer to a request without an id = %+v, want an error", a)
	}
}

// TestAFailureIsTriedAgain: history that cannot be read delays classes, and nothing else.
func TestAFailureIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	w.days(0, 3)
	w.now = monday.AddDate(0, 0, 3).Add(2 * time.Hour)
	w.decide()
	w.step(actors.Input{Report: Learned{Learn: w.acts[0].(Learn), Err: fmt.Errorf("no stream")}})
	w.acts = nil
	if events := w.decide(); len(events) > 0 || len(w.acts) > 0 {
		t.Errorf("after a failure: events %v, actions %v, want none before the pause", events, w.acts)
	}
	w.now = w.now.Add(retryAfter)
	if ended := w.settle(); len(ended) != 1 {
		t.Errorf("generations after the pause = %+v, want one", ended)
	}
}
