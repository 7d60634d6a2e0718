package pacing

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lull/hostctl/pace"
)

// metered returns a meter whose task reports into a file.
func metered(t *testing.T) (*Meter, func(text string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "progress")
	m := &Meter{root: t.TempDir(), dir: t.TempDir(), attempt: 1, report: path, others: func() ([]int, int) { return nil, 0 }}
	return m, func(text string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close() //nolint:errcheck // the write's error counts
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
}

var moment = time.Unix(1_700_000_000, 0)

func sample(k float64) time.Time { return moment.Add(time.Duration(k * float64(pace.Sample))) }

func TestRateIsWhatTheTaskReports(t *testing.T) {
	m, say := metered(t)
	if r := m.Rate(sample(0)); !math.IsNaN(r) {
		t.Errorf("Rate() with no report = %v, want NaN", r)
	}
	say("1000\n")
	if r := m.Rate(sample(1)); !math.IsNaN(r) {
		t.Errorf("Rate() after one reading = %v, want NaN", r)
	}
	say("3000\n5000\n70") // the last line is half written
	if r := m.Rate(sample(2)); math.Abs(r-4000/pace.Sample.Seconds()) > 1e-6 {
		t.Errorf("Rate() after 4000 in a sample = %v, want %v", r, 4000/pace.Sample.Seconds())
	}
}

func TestRateOfAnotherLengthOfTimeIsNone(t *testing.T) {
	m, say := metered(t)
	say("0\n")
	m.Rate(sample(0))
	for _, test := range []struct {
		at   float64
		says bool
	}{{1, true}, {1.2, false}, {2.3, true}, {9, false}, {10, true}} {
		if r := m.Rate(sample(test.at)); math.IsNaN(r) == test.says {
			t.Errorf("Rate() at sample %v = %v, want a number: %v", test.at, r, test.says)
		}
	}
	say("50\n")
	m.Rate(sample(11))
	say("20\n")
	if r := m.Rate(sample(12)); !math.IsNaN(r) {
		t.Errorf("Rate() after a count fell = %v, want NaN", r)
	}
}

// The task controls its progress file: it may be a link to another's, a pipe without a writer, a
// folder, or nonsense.
func TestProgressFileMayBeAnything(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("5\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	link, pipe, folder := filepath.Join(dir, "link"), filepath.Join(dir, "pipe"), filepath.Join(dir, "folder")
	check(t, os.Symlink(secret, link), mkfifo(pipe), os.Mkdir(folder, 0o755))
	for _, path := range []string{link, pipe, folder, filepath.Join(dir, "none"), ""} {
		if n, ok := Reported(path); ok {
			t.Errorf("Reported(%q) = %v, want none", path, n)
		}
	}
	if n, ok := Reported(secret); !ok || n < 5 || n > 5 {
		t.Errorf("Reported() = %v, %v, want 5, true", n, ok)
	}
}

func FuzzLastNumber(f *testing.F) {
	for _, text := range []string{"1\n", "1\n2", "\n", "x\n", "-5\n", "1e999\n", "NaN\n", " 7 \r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if n, ok := lastNumber(text); ok && (math.IsNaN(n) || math.IsInf(n, 0) || n < 0) {
			t.Errorf("lastNumber(%q) = %v, want a finite number from 0 on", text, n)
		}
	})
}
