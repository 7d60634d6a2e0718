package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/actors"
	"lull/actors/faults"
	"lull/actors/memory"
	"lull/subjects/history"
)

var (
	begin = history.Slot(time.Date(2026, 5, 6, 0, 0, 0, 0, time.UTC))
	web   = history.Owner{Tenant: "web", Cores: 8, Memory: 1 << 30}
)

func at(slot int64) Sample {
	mean := uint16(slot % 900)
	return Sample{slot, history.Sample{Mean: mean, Peak: mean + 5, Memory: 7, Seconds: 120}, web}
}

// stored reads the samples of a pool, by slot.
func stored(t *testing.T, bus actors.Bus) map[int64]uint16 {
	t.Helper()
	all := map[int64]uint16{}
	_, err := bus.ReadHistory(t.Context(), 0, "", func(d actors.Delivery) error {
		var b history.Block
		host, err := history.Read(bus.Pool(), d.Subject, d.Body, &b)
		for i, s := range b.Samples {
			if s.Seconds > 0 && host == "h" {
				all[b.From+int64(i)] = s.Mean
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func wantSlots(t *testing.T, bus actors.Bus, from, to int64) {
	t.Helper()
	got := stored(t, bus)
	for slot := from; slot < to; slot++ {
		if mean, ok := got[slot]; !ok || mean != at(slot).Sample.Mean {
			t.Fatalf("slot %d of %d to %d = %d, kept %v, want %d, true", slot, from, to, mean, ok, at(slot).Sample.Mean)
		}
	}
	if int64(len(got)) != to-from {
		t.Errorf("%d samples are kept, want %d", len(got), to-from)
	}
}

func TestAWeekWithoutServerLosesNothing(t *testing.T) {
	pool, folder := memory.New("test"), t.TempDir()
	var script []faults.Fault
	for n := range 1000 {
		script = append(script, faults.Fault{Op: faults.PutHistory, Nth: n + 1, How: faults.LoseCall})
	}
	away := faults.Wrap(pool, script...)
	end := begin + 7*int64(history.PerDay)
	k := New(Config{Bus: away, Host: "h", Folder: folder})
	for slot := begin; slot < end; slot++ {
		if k.keep(at(slot)); slot%100 == 0 {
			k.Send(t.Context())
		}
		if slot%777 == 0 { // kill -9
			k = New(Config{Bus: away, Host: "h", Folder: folder})
		}
	}
	if n := len(stored(t, pool)); n > 0 {
		t.Fatalf("samples stored while the server is away = %d, want 0", n)
	}
	k = New(Config{Bus: pool, Host: "h", Folder: folder})
	k.Send(t.Context())
	wantSlots(t, pool, begin, end)
	if files, _ := os.ReadDir(folder); len(files) > keptDays {
		t.Errorf("journals = %d, want at most %d", len(files), keptDays)
	}
}

func TestSendsOnlyWhatIsNew(t *testing.T) {
	pool := memory.New("test")
	k := New(Config{Bus: pool, Host: "h", Folder: t.TempDir()})
	for slot := begin; slot < begin+1000; slot++ {
		k.keep(at(slot))
	}
	k.Send(t.Context())
	k.Send(t.Context())
	if info, _ := pool.HistoryInfo(t.Context()); info.Last != 2 {
		t.Errorf("blocks sent of two days = %d, want 2", info.Last)
	}
	k.keep(at(begin + 1000))
	k.Send(t.Context())
	if info, _ := pool.HistoryInfo(t.Context()); info.Last != 3 || info.First != 1 {
		t.Errorf("blocks in the pool = %d to %d, want 1 to 3", info.First, info.Last)
	}
	wantSlots(t, pool, begin, begin+1001)
}

func TestATornJournalLosesItsLastSample(t *testing.T) {
	pool, folder := memory.New("test"), t.TempDir()
	k := New(Config{Bus: pool, Host: "h", Folder: folder})
	for slot := begin; slot < begin+50; slot++ {
		k.keep(at(slot))
	}
	path := k.mu.days[0].path
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := len(whole) / 50
	for cut := 1; cut <= size; cut++ {
		if err := os.WriteFile(path, whole[:len(whole)-cut], 0o600); err != nil {
			t.Fatal(err)
		}
		again := New(Config{Bus: pool, Host: "h", Folder: folder})
		if n := again.mu.days[0].block.Observed(); n != 49 {
			t.Fatalf("samples left of 50 after %d bytes were cut off = %d, want 49", cut, n)
		}
		again.keep(at(begin + 49))
		if back, err := readDay(path); err != nil || back.block.Observed() != 50 {
			t.Fatalf("samples read behind a torn end = %d, %v, want 50", back.block.Observed(), err)
		}
	}
}

// TestDamageLosesWhatItHit damages the middle of a journal whose day the pool has. The block that
// the next agent sends takes back no other sample.
func TestDamageLosesWhatItHit(t *testing.T) {
	pool, folder := memory.New("test"), t.TempDir()
	const samples = 200
	k := New(Config{Bus: pool, Host: "h", Folder: folder})
	for slot := begin; slot < begin+samples; slot++ {
		k.keep(at(slot))
	}
	k.Send(t.Context())
	wantSlots(t, pool, begin, begin+samples)
	path := k.mu.days[0].path
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	size := len(whole) / samples
	for name, damage := range map[string]func([]byte){
		"a byte of a body":   func(b []byte) { b[10*size+headBytes+2] ^= 0xff },
		"a byte of a length": func(b []byte) { b[10*size] ^= 0xff },
		"zeros":              func(b []byte) { clear(b[10*size : 12*size+3]) },
	} {
		body := slices.Clone(whole)
		damage(body)
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		again := New(Config{Bus: pool, Host: "h", Folder: folder})
		again.keep(at(begin + samples))
		again.Send(t.Context())
		if n := len(stored(t, pool)); n < samples+1-4 {
			t.Errorf("%s: samples left in the pool = %d, want at least %d", name, n, samples+1-4)
		}
		if back, err := readDay(path); err != nil || back.block.Observed() < samples+1-4 {
			t.Errorf("%s: the journal behind the damage = %v, want at least %d samples", name, err, samples+1-4)
		}
	}
}

// TestWhatWasSentIsOnTheDisk: while the disk takes nothing, nothing is sent that a restart would
// take back; when it has room again, all is written and sent.
func TestWhatWasSentIsOnTheDisk(t *testing.T) {
	pool, folder := memory.New("test"), filepath.Join(t.TempDir(), "history")
	k := New(Config{Bus: pool, Host: "h", Folder: folder})
	for slot := begin; slot < begin+10; slot++ {
		k.keep(at(slot))
	}
	full := folder + ".full" // no file can be written where no folder is
	if err := os.Rename(folder, full); err != nil {
		t.Fatal(err)
	}
	const hours = 3 * 30 // samples of three hours
	for slot := begin + 10; slot < begin+hours; slot++ {
		k.keep(at(slot))
	}
	k.Send(t.Context())
	if n := len(stored(t, pool)); n != hours {
		t.Errorf("samples sent = %d, want %d", n, hours)
	}
	// A restart now: its block has the first ten samples, and takes back none of the others.
	early := New(Config{Bus: pool, Host: "h", Folder: full})
	early.keep(at(begin + 5))
	early.Send(t.Context())
	if n := len(stored(t, pool)); n != hours {
		t.Errorf("samples after a restart = %d, want %d", n, hours)
	}
	if err := os.Rename(full, folder); err != nil {
		t.Fatal(err)
	}
	k.keep(at(begin + hours))
	k.Send(t.Context())
	wantSlots(t, pool, begin, begin+hours+1)
	again := New(Config{Bus: pool, Host: "h", Folder: folder})
	again.Send(t.Context())
	wantSlots(t, pool, begin, begin+hours+1)
}

// TestAClockThatGoesBackDropsTheOldestDay: not the one of the time before.
func TestAClockThatGoesBackDropsTheOldestDay(t *testing.T) {
	pool := memory.New("test")
	k := New(Config{Bus: pool, Host: "h", Folder: t.TempDir()})
	day := int64(history.PerDay)
	for d := range int64(keptDays) {
		k.keep(at(begin + (d+10)*day))
	}
	k.keep(at(begin)) // ten days back: this day is the oldest, and has no place
	k.keep(at(begin + (keptDays+10)*day))
	k.Send(t.Context())
	got := stored(t, pool)
	for d := int64(1); d <= keptDays; d++ {
		if _, ok := got[begin+(d+10)*day]; !ok {
			t.Errorf("day %d is dropped, want it kept", d)
		}
	}
}

// A host with a new data folder must not replace what it had sent that day, even in the hour in which
// its day began.
func TestANewDataFolderReplacesNothing(t *testing.T) {
	for _, before := range []int64{3, 100} {
		pool := memory.New("test")
		k := New(Config{Bus: pool, Host: "h", Folder: t.TempDir()})
		for slot := begin; slot < begin+before; slot++ {
			k.keep(at(slot))
		}
		k.Send(t.Context())
		k = New(Config{Bus: pool, Host: "h", Folder: t.TempDir()})
		for slot := begin + before; slot < begin+200; slot++ {
			k.keep(at(slot))
		}
		k.Send(t.Context())
		wantSlots(t, pool, begin, begin+200)
	}
}

// TestADayThatIsRefusedHoldsUpNoOther: the pool takes all days but the first, and later that, too.
func TestADayThatIsRefusedHoldsUpNoOther(t *testing.T) {
	pool := memory.New("test")
	k := New(Config{Bus: faults.Wrap(pool, faults.Fault{Op: faults.PutHistory, Nth: 1, How: faults.LoseCall}), Host: "h", Folder: t.TempDir()})
	metrics := prometheus.NewPedanticRegistry()
	if err := k.Register(metrics); err != nil {
		t.Fatal(err)
	}
	day := int64(history.PerDay)
	for d := range int64(3) {
		k.keep(at(begin + d*day))
	}
	k.Send(t.Context())
	if got := stored(t, pool); len(got) != 2 || !k.offline || value(t, metrics, "lull_history_refused_total") != 1 {
		t.Errorf("samples stored = %d, offline %v, want 2, true and one refused", len(got), k.offline)
	}
	k.Send(t.Context())
	if got := stored(t, pool); len(got) != 3 || k.offline {
		t.Errorf("samples stored = %d, offline %v, want 3, false", len(got), k.offline)
	}
}

// value is that of a metric without labels of its own.
func value(t *testing.T, metrics *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if m := f.GetMetric()[0]; f.GetName() == name {
			return m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	t.Fatalf("metric %s is missing, want it registered", name)
	return 0
}

// TestAClockThatJumpedAhead: the days of the wrong time neither take the place of later ones, nor are
// they sent before their time.
func TestAClockThatJumpedAhead(t *testing.T) {
	pool, day := memory.New("test"), int64(history.PerDay)
	now := begin
	k := New(Config{Bus: pool, Host: "h", Folder: t.TempDir(), Now: func() time.Time { return history.TimeOf(now) }})
	for d := range int64(keptDays + 2) {
		k.keep(at(begin + (d+365)*day))
	}
	k.Send(t.Context())
	if got := stored(t, pool); len(got) > 0 {
		t.Errorf("samples of the future sent = %d, want 0", len(got))
	}
	for d := range int64(keptDays) {
		now = begin + d*day
		k.keep(at(now))
	}
	k.Send(t.Context())
	if got := stored(t, pool); len(got) != keptDays {
		t.Errorf("samples sent after the clock was set right = %d, want %d", len(got), keptDays)
	}
	if len(k.mu.days) > 2*keptDays {
		t.Errorf("days kept = %d, want at most %d", len(k.mu.days), 2*keptDays)
	}
	now = begin + 368*day // of the ten days, the last eight are kept
	k.Send(t.Context())
	if got := stored(t, pool); len(got) != keptDays+2 {
		t.Errorf("samples sent once their time has come = %d, want %d", len(got), keptDays+2)
	}
}

// TestSamplesThatAreLostAreCounted: the disk hangs for more than a day.
func TestSamplesThatAreLostAreCounted(t *testing.T) {
	k := New(Config{Bus: memory.New("test"), Host: "h", Folder: t.TempDir()})
	metrics := prometheus.NewPedanticRegistry()
	if err := k.Register(metrics); err != nil {
		t.Fatal(err)
	}
	for slot := range int64(maxWaiting + 7) {
		k.Put(at(begin + slot))
	}
	if n := value(t, metrics, "lull_history_dropped_total"); n != 7 {
		t.Errorf("%v samples are counted as lost, want 7", n)
	}
}

// Another agent may have the host's name.
func TestAnAgentWithoutItsNameSendsNothing(t *testing.T) {
	pool, named := memory.New("test"), false
	k := New(Config{Bus: pool, Host: "h", Folder: t.TempDir(), HasName: func() bool { return named }})
	k.keep(at(begin))
	if k.Send(t.Context()); len(stored(t, pool)) > 0 {
		t.Error("samples are sent before the agent has its name, want none")
	}
	named = true
	k.Send(t.Context())
	wantSlots(t, pool, begin, begin+1)
}

// Without its folder the keeper still sends.
func TestADiskThatTakesNothing(t *testing.T) {
	pool := memory.New("test")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	k := New(Config{Bus: pool, Host: "h", Folder: filepath.Join(file, "below")})
	k.keep(at(begin))
	k.Send(t.Context())
	wantSlots(t, pool, begin, begin+1)
}

func TestTheEndWaitsForTheDisk(t *testing.T) {
	folder := t.TempDir()
	k := New(Config{Bus: memory.New("test"), Host: "h", Folder: folder})
	end := k.Begin(t.Context())
	for slot := begin; slot < begin+500; slot++ {
		k.Put(at(slot))
	}
	end()
	k = New(Config{Bus: memory.New("test"), Host: "h", Folder: folder})
	if n := k.mu.days[0].block.Observed(); n != 500 {
		t.Errorf("samples on the disk = %d, want 500", n)
	}
}

func TestHostsTakeTurns(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	counts := make([]int, 60)
	for i := range 6000 {
		host := fmt.Sprint("host-", i)
		d := Delay(host, now, sendEvery)
		if d <= 0 || d > sendEvery || Delay(host, now.Add(d), sendEvery) != sendEvery {
			t.Fatalf("Delay(%s) = %v, then %v, want at most %v, then %v", host, d, Delay(host, now.Add(d), sendEvery), sendEvery, sendEvery)
		}
		counts[d/time.Minute%60]++
	}
	for minute, n := range counts {
		if n < 40 || n > 180 {
			t.Errorf("hosts that send in minute %d = %d of 6000, want 40 to 180", minute, n)
		}
	}
}
