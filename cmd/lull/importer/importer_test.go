package importer

import (
	"math"
	"strings"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/faults"
	"lull/actors/memory"
	"lull/subjects/history"
)

var (
	now  = time.Date(2026, 5, 31, 12, 0, 0, 0, time.UTC)
	gone = float32(math.NaN())
)

// samples reads what a pool has, by slot.
func samples(t *testing.T, bus actors.Bus) map[int64]history.Sample {
	t.Helper()
	all := map[int64]history.Sample{}
	_, err := bus.ReadHistory(t.Context(), 0, "", func(d actors.Delivery) error {
		var b history.Block
		_, err := history.Read(bus.Pool(), d.Subject, d.Body, &b)
		for i, s := range b.Samples {
			if s.Seconds > 0 {
				all[b.From+int64(i)] = s
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestSamplesOfFiveMinutesAreDividedAmongSteps(t *testing.T) {
	bus := memory.New("test")
	m := &Import{Now: now}
	begin := now.Add(-time.Hour)
	if err := m.Add(Series{Host: "h", Cores: 8, Begin: begin, Every: 5 * time.Minute, Share: []float32{0.2, 0.4, gone, 0.1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Put(t.Context(), bus, false); err != nil {
		t.Fatal(err)
	}
	first, got := history.Slot(begin), samples(t, bus)
	for step, want := range map[int64]history.Sample{
		0: {Mean: 200, Peak: 200, Seconds: 120}, 2: {Mean: 300, Peak: 400, Seconds: 120}, 4: {Mean: 400, Peak: 400, Seconds: 120},
		5: {}, 6: {}, 7: {Mean: 100, Peak: 100, Seconds: 60}, 9: {Mean: 100, Peak: 100, Seconds: 120}, 10: {},
	} {
		if s := got[first+step]; s != want {
			t.Errorf("sample of step %d = %+v, want %+v", step, s, want)
		}
	}
}

// month is three hosts of 31 days.
func month(t *testing.T) *Import {
	t.Helper()
	m := &Import{Now: now, Tenants: map[string]string{"a": "web", "b": "web"}}
	for _, host := range []string{"a", "b", "c"} {
		share := make([]float32, 33*288)
		for i := range share {
			share[i] = float32(i%100) / 100
		}
		s := Series{Host: host, Begin: now.Add(-33 * 24 * time.Hour), Every: 5 * time.Minute, Share: share}
		if err := m.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func TestASecondImportChangesNothing(t *testing.T) {
	bus := memory.New("test")
	r, err := month(t).Put(t.Context(), bus, true)
	if err != nil || len(samples(t, bus)) > 0 || r.New != 3*31*history.PerDay {
		t.Fatalf("Put(dry run) = %+v, %v, want %d new, none of them in the pool", r, err, 3*31*history.PerDay)
	}
	m := month(t)
	if r, err = m.Put(t.Context(), bus, false); err != nil || r.New != 3*31*history.PerDay || r.Blocks > 3*6 || m.Old != 3*2*history.PerDay {
		t.Fatalf("first Put() = %+v, %v, with %d old, want %d new in at most %d blocks, %d old", r, err, m.Old, 3*31*history.PerDay, 3*6, 3*2*history.PerDay)
	}
	before, _ := bus.HistoryInfo(t.Context())
	if r, err = month(t).Put(t.Context(), bus, false); err != nil || r.New > 0 || r.Blocks > 0 {
		t.Errorf("second Put() = %+v, %v, want none new, no block", r, err)
	}
	if after, _ := bus.HistoryInfo(t.Context()); after.Last != before.Last {
		t.Errorf("blocks in the pool after the second Put() = %d more, want none", after.Last-before.Last)
	}
}

func TestARerunCompletesWhatBrokeOff(t *testing.T) {
	pool := memory.New("test")
	broken := faults.Wrap(pool, faults.Fault{Op: faults.PutHistory, Nth: 4, How: faults.LoseCall})
	if _, err := month(t).Put(t.Context(), broken, false); err == nil || !strings.Contains(err.Error(), "host a") || !strings.Contains(err.Error(), "again") {
		t.Fatalf("Put() that breaks off = %v, want an error that names host a and says to try again", err)
	}
	r, err := month(t).Put(t.Context(), pool, false)
	if err != nil || r.New == 0 || r.New >= r.Samples {
		t.Errorf("Put() of the rerun = %+v, %v, want some new, not all", r, err)
	}
	if n := len(samples(t, pool)); n != 31*history.PerDay {
		t.Errorf("samples in the pool = %d, want %d", n, 31*history.PerDay)
	}
}

func TestWhatIsWrongIsNamedByHostAndTime(t *testing.T) {
	for _, c := range []struct {
		s    Series
		want string
	}{
		{Series{Host: "h", Begin: now.Add(-time.Minute), Every: 5 * time.Minute, Share: []float32{0.1, 0.1}}, "host h at 2026-05-31T12:04:00Z: the sample lies in the future"},
		{Series{Host: "h", Begin: now.Add(-time.Hour), Every: time.Minute, Share: []float32{0.1, 37}}, "host h at 2026-05-31T11:01:00Z: 37 is no share"},
		{Series{Host: "h.example.org"}, "'.'"},
	} {
		if err := (&Import{Now: now}).Add(c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Add(%+v) = %v, want an error with %q", c.s, err, c.want)
		}
	}
	m := &Import{Now: now}
	if err := m.Add(Series{Host: "h"}); err != nil {
		t.Fatal(err)
	}
	if err := m.Add(Series{Host: "h"}); err == nil || !strings.Contains(err.Error(), "two series") {
		t.Errorf("second Add(host h) = %v, want an error that it has two series", err)
	}
}
