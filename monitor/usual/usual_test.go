package usual

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var begin = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// leave feeds samples of a second in which a host leaves so many cores idle.
func (i *Idle) leave(from time.Time, cores float64, span time.Duration) (to time.Time) {
	for to = from; to.Before(from.Add(span)); {
		to = to.Add(time.Second)
		i.Add(to, cores, time.Second)
	}
	return to
}

func near(t *testing.T, i *Idle, cores float64, observed time.Duration) {
	t.Helper()
	got, seen := i.Mean()
	if math.Abs(got-cores) > 1e-6 || (seen-observed).Abs() > time.Millisecond {
		t.Errorf("%v cores over %v, want %v over %v", got, seen, cores, observed)
	}
}

func TestTheMeanWeighsByTimeAndKnowsHowLittleItKnows(t *testing.T) {
	i := new(Idle)
	near(t, i, 0, 0)
	at := i.leave(begin, 4, 30*time.Minute)
	at = at.Add(3 * time.Hour) // the host was off
	i.leave(at, 0, 10*time.Minute)
	near(t, i, 3, 40*time.Minute)
}

func TestAWeekIsRemembered(t *testing.T) {
	i := new(Idle)
	i.leave(begin, 8, time.Hour)
	for span := range kept - 7 { // the hour touches seven spans
		i.Add(begin.Add(time.Hour+time.Duration(span+1)*Span), 2, Span)
	}
	if cores, observed := i.Mean(); cores < 2.03 || observed < time.Duration(kept-1)*Span {
		t.Errorf("after a week: %v cores over %v, want at least 2.03 over %v", cores, observed, time.Duration(kept-1)*Span)
	}
	for span := range 7 {
		i.Add(begin.Add(8*24*time.Hour+time.Duration(span)*Span), 2, Span)
	}
	near(t, i, 2, time.Duration(kept)*Span)
}

func TestAClockThatJumpsCostsNoMemory(t *testing.T) {
	i := new(Idle)
	i.leave(begin, 1, time.Hour)
	i.Add(begin.Add(1000*time.Hour), 1, time.Second)
	i.leave(begin.Add(time.Hour), 3, time.Hour)
	near(t, i, (3600+1+3*3600)/7201.0, 2*time.Hour+time.Second)
}

func TestAFileKeepsIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usual")
	i, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	i.leave(begin, 3, time.Hour)
	body, err := i.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := Save(path, body); err != nil {
		t.Fatal(err)
	}
	if i, err = Load(path); err != nil {
		t.Fatal(err)
	}
	near(t, i, 3, time.Hour)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{{}, whole[:20], whole[:len(whole)-1], append(append([]byte{}, whole[:40]...), make([]byte, len(whole)-40)...)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil {
			t.Errorf("Load(%d damaged bytes) = nil error, want an error", len(damaged))
		}
	}
	if _, err := Decode([]byte{0x91, 0x83, 0xa2, 'a', 't', 1, 0xa5, 'c', 'o', 'r', 'e', 's', 0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 0xa7, 's', 'e', 'c', 'o', 'n', 'd', 's', 1}); err == nil {
		t.Error("Decode(a span of NaN core seconds) = nil error, want an error")
	}
}
