package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// shuffle is a sort: maps write what they read, reduces read a part of each map.
func shuffle(name string, tasks uint32) spec.Job {
	stage := func(name string, from ...spec.From) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{name}, Tasks: tasks, CPU: 1, Memory: 1 << 20, Retries: 3, Backoff: time.Second, From: from}
	}
	j := spec.Job{Name: name, Type: "sort", Stages: []spec.Stage{stage("map"), stage("reduce", spec.From{Partition: true})}}
	j.Stages[0].Partitions, j.Stages[0].Bytes = tasks, 1e9
	return j
}

// racks are two fast racks and two slow ones, of four hosts each, with a placer and models.
func racks(jobs ...Job) Scenario {
	s := Scenario{Seed: 1, Jobs: jobs, Placers: 1, Network: &subjects.Wired{}, Types: []Truth{flat("sort:map", 20), flat("sort:reduce", 20)}}
	for r, rate := range []float64{20e6, 200e6, 10e6, 200e6} {
		rack := fmt.Sprint("r", r)
		s.Network.Racks = append(s.Network.Racks, subjects.WiredRack{WiredLink: subjects.WiredLink{Name: rack, Up: rate, Down: rate}})
		for h := range 4 {
			s.Hosts = append(s.Hosts, Host{Name: fmt.Sprint(rack, "h", h), Cores: 2, Labels: []string{"rack=" + rack}})
		}
	}
	s.Models = []subjects.Fitted{
		{Type: "sort:map", A: 20, Samples: 100, Low: 0, High: 1, Size: 1e9, Least: 1e9, Most: 1e9, Gives: 1, Yield: 1e9},
		{Type: "sort:reduce", A: 20, Samples: 100, Low: 0, High: 1},
	}
	return s
}

// seen is what a log says of jobs' places.
type seen struct {
	at     map[string]time.Duration // of the first task given away, by job
	placed map[string][]*subjects.Placed
	on     map[string][]string // hosts with tasks, by job
	rules  map[string]int
}

func watch(t *testing.T, s Scenario) *seen {
	t.Helper()
	got := &seen{map[string]time.Duration{}, map[string][]*subjects.Placed{}, map[string][]string{}, map[string]int{}}
	s.Watch = func(at time.Duration, _ uint64, e subjects.Event) {
		name, _, _ := strings.Cut(subjects.JobOf(e), ".")
		switch e := e.(type) {
		case *subjects.Placed:
			c := *e
			c.Hosts = slices.Clone(e.Hosts)
			got.placed[name] = append(got.placed[name], &c)
		case *subjects.Assigned:
			if _, known := got.at[name]; !known {
				got.at[name] = at
			}
			if !slices.Contains(got.on[name], e.Host) {
				got.on[name] = append(got.on[name], e.Host)
			}
			got.rules[e.Why.Rule]++
		}
	}
	finish(t, s)
	return got
}

func only[V any](t *testing.T, of map[string]V) (v V) {
	t.Helper()
	if len(of) != 1 {
		t.Fatalf("jobs = %v, want one", of)
	}
	for _, v = range of {
	}
	return v
}

// describe writes placements out: of pointers in a slice, %+v prints the addresses alone.
func describe(words []*subjects.Placed) string {
	text := ""
	for _, e := range words {
		text += fmt.Sprintf("\n%+v", *e)
	}
	return text
}

func TestAJobThatShufflesRunsOnTheHostsOfFastRacks(t *testing.T) {
	got := watch(t, racks(Job{At: 10 * time.Second, Spec: shuffle("one", 8)}))
	words := only(t, got.placed)
	if len(words) != 1 || len(words[0].Hosts) == 0 {
		t.Fatalf("placements:%s\nwant one, with hosts", describe(words))
	}
	for _, h := range words[0].Hosts {
		if !strings.HasPrefix(h.Host, "r1") && !strings.HasPrefix(h.Host, "r3") {
			t.Errorf("host of the placement = %s, want one of the fast racks r1 and r3", h.Host)
		}
	}
	for _, host := range only(t, got.on) {
		if !slices.ContainsFunc(words[0].Hosts, func(h subjects.PlacedHost) bool { return h.Host == host }) {
			t.Errorf("host of a task = %s, want one of the placement", host)
		}
	}
	if e := words[0]; !(e.Bound > 0 && e.Bound <= e.Seconds) || len(e.Baselines) != 5 || e.Evaluations == 0 || e.Moving < 0.05 {
		t.Errorf("placement = %+v, want a bound of at most its seconds, 5 baselines, some evaluations and at least 0.05 of moving", e)
	}
}

// Two jobs within a second: the second counts what the first was promised.
func TestTheSecondJobCountsTheFirstOnesPromise(t *testing.T) {
	one := shuffle("one", 4)
	one.Place = spec.PlaceSpread
	s := racks(Job{At: 10 * time.Second, Spec: one}, Job{At: 10500 * time.Millisecond, Spec: one})
	s.Network.Racks = s.Network.Racks[:2]
	for i := range s.Network.Racks {
		s.Network.Racks[i].Up, s.Network.Racks[i].Down = 100e6, 100e6
	}
	got := watch(t, s)
	if len(got.placed) != 2 {
		t.Fatalf("jobs with placements = %d, want 2", len(got.placed))
	}
	var seconds []float64
	for _, words := range got.placed {
		seconds = append(seconds, words[0].Seconds)
	}
	slices.Sort(seconds)
	if seconds[1] < 1.02*seconds[0] {
		t.Errorf("predicted seconds of two jobs over both racks = %g, want the second at least 2 %% more: it counts the first one's promise", seconds)
	}
}

// A pool waits for its placer only as long as one leads.
func TestNoPlacerNoWait(t *testing.T) {
	with := watch(t, racks(Job{At: 10 * time.Second, Spec: shuffle("one", 8)}))
	s := racks(Job{At: 10 * time.Second, Spec: shuffle("one", 8)})
	s.Placers = 0
	without := watch(t, s)
	if at := only(t, without.at); at > 10200*time.Millisecond {
		t.Errorf("first task without a placer assigned at %v, want at most 10.2s", at)
	}
	if at := only(t, with.at); at > 11*time.Second {
		t.Errorf("first task with a placer assigned at %v, want at most 11s", at)
	}
	s = racks(Job{At: 10 * time.Second, Spec: shuffle("one", 8)})
	s.Network = nil
	if got := watch(t, s); len(got.placed) > 0 || only(t, got.at) > 10200*time.Millisecond {
		t.Errorf("without a network: jobs with placements = %d, first task assigned at %v, want 0, at most 10.2s", len(got.placed), only(t, got.at))
	}
}

func TestAJobSaysThatItIsNotToBePlaced(t *testing.T) {
	j := shuffle("one", 8)
	j.Place = spec.PlaceOff
	if got := watch(t, racks(Job{At: 10 * time.Second, Spec: j})); len(got.placed) > 0 {
		t.Errorf("jobs with placements under place: off = %d, want 0", len(got.placed))
	}
	j.Place = spec.PlacePack
	words := only(t, watch(t, racks(Job{At: 10 * time.Second, Spec: j})).placed)
	if w := words[0]; w.Objective != spec.PlacePack || len(w.Hosts) != 4 || w.Hosts[0].Host[:2] != w.Hosts[3].Host[:2] {
		t.Errorf("placement of a job with place: pack = %+v, want that objective and 4 hosts of one rack", w)
	}
}

// draining drains the first host of a job's first placement, some seconds after it.
type draining struct {
	w    *World
	done bool
}

func (d *draining) Begin(w *World)   { d.w = w }
func (d *draining) Fate(Effect) Fate { return Fate{} }

// watch is called with every entry.
func (d *draining) watch(t *testing.T, e subjects.Event) {
	placed, ok := e.(*subjects.Placed)
	if !ok || d.done {
		return
	}
	d.done = true
	host := placed.Hosts[0].Host
	d.w.At(d.w.now+5*time.Second, func() {
		if err := d.w.Append(&subjects.Drained{Host: host}); err != nil {
			t.Error(err)
		}
	})
}

// A drained host makes the placer place what is left anew.
func TestADrainedHostMakesThePlacerSayItAnew(t *testing.T) {
	s := racks(Job{At: 10 * time.Second, Spec: shuffle("one", 8)})
	faults := &draining{}
	s.Faults = faults
	var words []*subjects.Placed
	s.Watch = func(_ time.Duration, _ uint64, e subjects.Event) {
		if e, ok := e.(*subjects.Placed); ok {
			c := *e
			words = append(words, &c)
		}
		faults.watch(t, e)
	}
	finish(t, s)
	if len(words) != 2 || words[0].Anew != "" || words[1].Anew != subjects.PlacedLost || words[1].Known <= words[0].Known {
		t.Fatalf("placements:%s\nwant two, the second one anew for a lost host, with more entries known", describe(words))
	}
	gone := words[0].Hosts[0].Host
	if len(words[1].Hosts) == 0 || slices.ContainsFunc(words[1].Hosts, func(h subjects.PlacedHost) bool { return h.Host == gone }) {
		t.Errorf("hosts of the placement after %s was drained = %+v, want some without it", gone, words[1].Hosts)
	}
}

// The same seed gives the same log, searches included; a placer more changes no word.
func TestPlacingIsDeterministic(t *testing.T) {
	run := func(placers int) ([32]byte, string) {
		s := racks(Job{At: 10 * time.Second, Spec: shuffle("one", 8)}, Job{At: 11 * time.Second, Spec: shuffle("two", 6)})
		s.Placers = placers
		text := ""
		s.Watch = func(_ time.Duration, _ uint64, e subjects.Event) {
			if e, ok := e.(*subjects.Placed); ok {
				text += fmt.Sprint(e.Hosts, e.Seconds, e.Bound)
			}
		}
		return finish(t, s).Digest, text
	}
	first, said := run(1)
	if again, _ := run(1); again != first {
		t.Errorf("digests of two runs of a seed = %x, %x, want the same", first, again)
	}
	if _, other := run(2); other != said || said == "" {
		t.Errorf("placements with two placers = %q, want those with one: %q, and some", other, said)
	}
}
