package upgrade

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/admission"
	"lull/hostctl/actor"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
)

// fixtures runs a test with each release's fixture.
func fixtures(t *testing.T, test func(t *testing.T, f *Fixture)) {
	paths, err := filepath.Glob(filepath.Join("testdata", "*"+suffix))
	if err != nil || len(paths) == 0 {
		t.Fatalf("fixtures in testdata = %q, %v, want some", paths, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), suffix), func(t *testing.T) {
			f, err := Read(path)
			if err != nil {
				t.Fatal(err)
			}
			test(t, f)
		})
	}
}

// folder is an actor that folds the whole log.
type folder interface {
	actors.Actor
	State() *ledger.State
}

// must returns a call's result, or fails the test.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// fresh makes the service that has snapshots of a name, nil for a host's name.
func fresh(t *testing.T, name string) folder {
	switch {
	case strings.HasPrefix(name, admission.Name+"."):
		return must(admission.New(admission.Config{Pool: subjects.DefaultPool}))(t)
	case strings.HasPrefix(name, slotter.Name+"."):
		return must(slotter.New(slotter.Config{}))(t)
	}
	return nil
}

// fold steps an actor with the log's entries after a sequence.
func (f *Fixture) fold(t *testing.T, a actors.Actor, behind uint64) {
	t.Helper()
	for _, e := range f.Entries {
		if e.Seq <= behind {
			continue
		}
		event, err := subjects.Decode(subjects.DefaultPool, e.Subject, e.Body)
		if err != nil {
			t.Fatalf("Decode(entry %d on %s) = %v, want no error", e.Seq, e.Subject, err)
		}
		at := time.Unix(0, e.Time)
		a.Step(actors.Input{Now: at, Entry: &actors.Entry{Seq: e.Seq, Time: at, Event: event}})
	}
}

// TestALogOfARelease folds a release's log: jobs and hosts are in the states that the release
// printed.
func TestALogOfARelease(t *testing.T) {
	fixtures(t, func(t *testing.T, f *Fixture) {
		a := fresh(t, slotter.Name+".")
		f.fold(t, a, 0)
		jobs, hosts := map[string]string{}, map[string]string{}
		for j := range a.State().Jobs().All() {
			jobs[j.ID] = j.Phase.String()
		}
		for _, h := range a.State().Hosts() {
			hosts[h.Name] = h.State()
		}
		if !reflect.DeepEqual(jobs, f.Jobs) {
			t.Errorf("jobs =\n%v\nwant those that the release printed,\n%v", jobs, f.Jobs)
		}
		if !reflect.DeepEqual(hosts, f.Hosts) {
			t.Errorf("hosts =\n%v\nwant those that the release printed,\n%v", hosts, f.Hosts)
		}
	})
}

// TestTheLogOfAReleaseHoldsAllKinds checks that the recorder's script makes every kind of
// event, and that some release's log holds those that do not come in each recording.
func TestTheLogOfAReleaseHoldsAllKinds(t *testing.T) {
	some := map[string]bool{}
	fixtures(t, func(t *testing.T, f *Fixture) {
		kinds := map[string]int{}
		for _, e := range f.Entries {
			event, err := subjects.Decode(subjects.DefaultPool, e.Subject, e.Body)
			if err != nil {
				t.Fatalf("Decode(entry %d on %s) = %v, want no error", e.Seq, e.Subject, err)
			}
			kinds[subjects.Kind(event)]++
			some[subjects.Kind(event)] = true
		}
		for _, kind := range []string{
			"job.submitted", "job.admitted", "job.rejected", "job.cancelled", "job.retried", "job.finished", "job.failed", "model.fitted",
			"host.joined", "host.left", "host.lost", "host.paused", "host.resumed", "host.drained", "host.harmed", "host.identified",
			"host.assigned", "host.started", "host.finished", "host.failed", "host.evicted", "queue.shared", "pool.paused", "pool.resumed",
		} {
			if kinds[kind] == 0 {
				t.Errorf("entries of kind %s = 0, want some", kind)
			}
		}
		t.Logf("%d entries: %v", len(f.Entries), kinds)
	})
	for _, kind := range []string{"host.declined", "job.trying", "job.endangered"} { // which depend on the moment, or came later
		if !some[kind] {
			t.Errorf("entries of kind %s in all fixtures = 0, want some", kind)
		}
	}
}

// TestSnapshotsOfARelease restores each service from each of its snapshots and folds the rest
// of the log. The ledger equals that of the whole log.
func TestSnapshotsOfARelease(t *testing.T) {
	fixtures(t, func(t *testing.T, f *Fixture) {
		read := map[string]int{}
		for _, s := range f.Snapshots {
			var snap actors.Snapshot
			if err := subjects.Unmarshal(s.Body, &snap); err != nil {
				t.Fatalf("Unmarshal(%s) = %v, want no error", s.Name, err)
			}
			owner, _, _ := strings.Cut(s.Name, ".")
			read[owner]++
			a := fresh(t, s.Name)
			if a == nil {
				host(t, s.Name, snap)
				continue
			}
			if err := a.Restore(snap.State); err != nil {
				t.Errorf("Restore(%s at %d) = %v, want no error", s.Name, snap.Seq, err)
				continue
			}
			whole := fresh(t, s.Name)
			f.fold(t, a, snap.Seq)
			f.fold(t, whole, 0)
			same(t, s.Name, snap.Seq, a.State(), whole.State())
			state, err := ledger.Unpack(snap.State, snap.Version)
			if err != nil || state.Seq > snap.Seq {
				t.Errorf("Unpack(%s at %d) = ledger at %v, %v, want no error and no later entry", s.Name, snap.Seq, state, err)
			}
		}
		if read[admission.Name] < 2 || read[slotter.Name] < 2 || read["hostctl"] == 0 {
			t.Errorf("snapshots read = %v, want at least 2 of %s, 2 of %s and 1 of hostctl", read, admission.Name, slotter.Name)
		}
	})
}

func host(t *testing.T, name string, snap actors.Snapshot) {
	t.Helper()
	a := actor.New(actor.Config{Host: strings.TrimPrefix(name, "hostctl.")})
	if err := a.Restore(snap.State); err != nil {
		t.Errorf("Restore(%s at %d) = %v, want no error", name, snap.Seq, err)
	}
}

// unknown are fields of a ledger's snapshot that the log fills and that snapshots of earlier
// releases lack, each with the effect.
var unknown = map[string]bool{
	"Rest":  true, // where a job came to rest: a restored ledger goes by the ends (ledger.reshelve)
	"clock": true, // the stamps before the snapshot: the clock begins anew with those behind it
	"away":  true, // since when a host is gone: the slotter counts from when it leads
	"heard": true, // a host's last heartbeat, for people
	// When a model was learned of: those of the snapshot count as the oldest.
	"models_at": true, "responses_at": true,
	// For whom harm counts: these releases believed the reports, and those of the recorder name a tenant that its hosts
	// do not have.
	"tolls": true,
	// The user in it is for people.
	"By": true, "held_by": true, "paused_by": true,
}

func same(t *testing.T, name string, seq uint64, got, want *ledger.State) {
	t.Helper()
	if where, one, other := differ("ledger", form(t, got), form(t, want)); where != "" {
		t.Errorf("%s at %d, and the rest of the log: %s = %v, want %v, as from the whole log", name, seq, where, one, other)
	}
}

// differ returns the first place in which two forms differ, "" for none.
func differ(at string, a, b any) (where string, one, other any) {
	switch b := b.(type) {
	case map[string]any:
		if a, ok := a.(map[string]any); ok {
			both := maps.Clone(a)
			maps.Copy(both, b)
			for _, key := range slices.Sorted(maps.Keys(both)) {
				if where, one, other = differ(at+"."+key, a[key], b[key]); where != "" {
					return where, one, other
				}
			}
		}
	case []any:
		if a, ok := a.([]any); ok && len(a) == len(b) {
			for i := range b {
				if where, one, other = differ(fmt.Sprint(at, ".", i), a[i], b[i]); where != "" {
					return where, one, other
				}
			}
		}
	}
	if reflect.DeepEqual(a, b) {
		return "", nil, nil
	}
	return at, a, b
}

func form(t *testing.T, s *ledger.State) map[string]any {
	t.Helper()
	b := must(s.Snapshot())(t)
	var m map[string]any
	if err := subjects.Unmarshal(bytes.Clone(b), &m); err != nil {
		t.Fatal(err)
	}
	m["packed"] = jobs(t, s)
	return strip(m).(map[string]any)
}

// jobs lists a ledger's jobs with their fields by name, which a snapshot lacks.
func jobs(t *testing.T, s *ledger.State) (list []any) {
	t.Helper()
	for j := range s.Jobs().All() {
		var fields, document map[string]any
		if err := subjects.Unmarshal(must(subjects.Marshal(j))(t), &fields); err != nil {
			t.Fatal(err)
		}
		if err := subjects.Unmarshal(must(subjects.Marshal(j.Spec()))(t), &document); err != nil {
			t.Fatal(err)
		}
		var tasks []any
		for _, st := range j.Stages {
			for i := range uint32(st.Len()) {
				state, attempt, tries := st.Task(i)
				tasks = append(tasks, fmt.Sprint(state, attempt, tries, st.Delayed(i)))
			}
		}
		fields["document"], fields["tasks"] = document, tasks
		list = append(list, fields)
	}
	return list
}

// strip removes the unknown fields.
func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			if unknown[key] {
				delete(v, key)
				continue
			}
			v[key] = strip(v[key])
		}
	case []any:
		for i := range v {
			v[i] = strip(v[i])
		}
	}
	return v
}
