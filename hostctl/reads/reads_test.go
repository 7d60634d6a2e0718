package reads

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// machine is a root on which processes have read so much.
func machine(t testing.TB, read map[int]string) string {
	t.Helper()
	root := t.TempDir()
	for pid, text := range read {
		dir := filepath.Join(root, "proc", fmt.Sprint(pid))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "io"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func ioFile(read int64) string {
	return fmt.Sprintf("rchar: %d\nwchar: 5\nsyscr: 6\nsyscw: 7\nread_bytes: 8\nwrite_bytes: 9\ncancelled_write_bytes: 0\n", read)
}

func TestTotalSumsTheTree(t *testing.T) {
	root := machine(t, map[int]string{
		10: ioFile(100), 11: ioFile(23), 12: "wchar: 5\n", 13: "rchar: many\n", 14: "", 15: ioFile(9000),
	})
	if got, ok := Total(root, []int{10, 11, 12, 13, 14, 15, 99}, 15); got != 123 || !ok {
		t.Errorf("Total() = %d, %v, want 123 of two processes, true", got, ok)
	}
	if _, ok := Total(root, []int{12, 99, 15}, 15); ok {
		t.Error("Total(no process that can be read) = true, want false")
	}
}

func TestTotalOfThisProcessGrows(t *testing.T) {
	if _, err := os.ReadFile("/proc/self/io"); err != nil {
		t.Skip("needs /proc/self/io: ", err)
	}
	before, ok := Total("/", []int{os.Getpid()}, 0)
	if !ok {
		t.Fatal("Total(this process) = false, want true")
	}
	f, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // only read
	n, err := f.Read(make([]byte, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := Total("/", []int{os.Getpid()}, 0); after-before < int64(n) {
		t.Errorf("Total() grew by %d after %d bytes were read, want at least that", after-before, n)
	}
}

func FuzzParseIO(f *testing.F) {
	f.Add([]byte(ioFile(7)))
	f.Add([]byte("rchar:"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, err := parseIO(text); err == nil && !strings.Contains(string(text), "rchar:") {
			t.Errorf("parseIO(%q) = %d, want an error", text, n)
		}
	})
}

var start = time.Unix(1_700_000_000, 0)

func TestPercentileOfSeconds(t *testing.T) {
	var s Series
	s.Begin(start)
	total := int64(0)
	for i := range 20 {
		total += int64(i+1) * 1000
		s.Add(start.Add(time.Duration(i+1)*time.Second), total)
	}
	if got := s.Percentile90(); got != 18_000 {
		t.Errorf("Percentile90() of 1 to 20 kB/s = %v, want 18000", got)
	}
}

func TestATotalThatFallsReadsNothing(t *testing.T) {
	var s Series
	s.Begin(start)
	for i, total := range []int64{5000, 200, 1200} {
		s.Add(start.Add(time.Duration(i+1)*time.Second), total)
	}
	if got := s.rates; !slices.Equal(got, []float32{5000, 0, 1000}) {
		t.Errorf("rates = %v, want [5000 0 1000]", got)
	}
}

// Bytes read before the measurement began, as of an adopted task, do not count as read in its first
// second. Nor do bytes read while it was frozen.
func TestOnlyWhatIsSeenCounts(t *testing.T) {
	var s Series
	s.Add(start, 1e9)
	if s.Percentile90() != 0 {
		t.Errorf("Percentile90() of one reading = %v, want 0", s.Percentile90())
	}
	s.Add(start.Add(time.Second), 1e9+50)
	s.Rest(start.Add(time.Minute), 1e9+60)
	s.Add(start.Add(time.Minute+time.Second), 1e9+110)
	s.Add(start.Add(time.Minute+time.Second+minSpan/2), 1e9+900) // too soon after the last
	if got := s.rates; !slices.Equal(got, []float32{50, 50}) {
		t.Errorf("rates = %v, want [50 50]", got)
	}
}

// However long a run is, little is remembered, and the percentile stays near
// that of all seconds.
func TestALongRunIsThinnedOut(t *testing.T) {
	var s Series
	rng := rand.New(rand.NewPCG(1, 2))
	s.Begin(start)
	total := int64(0)
	for i := range 100_000 {
		total += rng.Int64N(1e6)
		s.Add(start.Add(time.Duration(i+1)*time.Second), total)
	}
	if got := s.Percentile90(); len(s.rates) > maxRates || math.Abs(got-9e5) > 5e4 {
		t.Errorf("%d rates, the percentile is %v, want about 900000", len(s.rates), got)
	}
}

func TestRatesAreNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s Series
		if rapid.Bool().Draw(t, "from the start") {
			s.Begin(start)
		}
		now := start
		for range rapid.IntRange(0, 50).Draw(t, "samples") {
			now = now.Add(time.Duration(rapid.Int64Range(-1e10, 1e10).Draw(t, "step")))
			s.Add(now, rapid.Int64().Draw(t, "total"))
		}
		if got := s.Percentile90(); !(got >= 0) || math.IsInf(got, 0) {
			t.Fatalf("Percentile90() = %v, want a finite number from 0 on", got)
		}
	})
}

// BenchmarkTotal is one task of three processes: sixteen such tasks, once a
// second, are what a large host pays.
func BenchmarkTotal(b *testing.B) {
	pids := []int{os.Getpid(), os.Getpid(), os.Getpid()}
	for b.Loop() {
		Total("/", pids, 0)
	}
}
