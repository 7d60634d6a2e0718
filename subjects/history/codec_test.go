package history

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"lull/subjects"
)

// lively returns a day of a host with a load that swings, bursts and has gaps.
func lively(rng *rand.Rand) *Block {
	b := &Block{From: 20_000 * int64(PerDay)}
	level := 0.0
	for i := range PerDay {
		level = 0.9*level + 0.04*rng.NormFloat64()
		mean := 0.3 + 0.2*math.Sin(2*math.Pi*float64(i)/float64(PerDay)) + level
		s := Sample{Mean: Thousandths(mean), Memory: Thousandths(0.5 + 0.0001*float64(i)), Seconds: 120}
		s.Peak = max(s.Mean, Thousandths(mean+0.15*rng.Float64()))
		if rng.IntN(100) > 0 {
			b.Put(b.From+int64(i), s, web)
		}
	}
	return b
}

// anyBlock draws blocks of every shape.
func anyBlock(rng *rand.Rand) *Block {
	b := &Block{Origin: Origin(rng.IntN(2))}
	slot := int64(rng.IntN(1 << 24))
	for range rng.IntN(300) {
		slot += int64(rng.IntN(4)) / 3 * int64(rng.IntN(20))
		s := Sample{Mean: uint16(rng.IntN(Unit + 1)), Memory: uint16(rng.IntN(Unit + 1)), Seconds: uint8(1 + rng.IntN(120))}
		if rng.IntN(3) == 0 {
			s.Mean, s.Memory = 0, 0
		}
		s.Peak = s.Mean + uint16(rng.IntN(Unit+1-int(s.Mean)))
		b.Put(slot, s, Owner{Tenant: fmt.Sprintf("t%d", rng.IntN(3)), Cores: uint32(rng.IntN(2) * 64), Memory: rng.Int64()})
		slot++
	}
	return b
}

func TestWhatIsEncodedIsDecoded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var got Block // used again, as readers do
	for i := range 2000 {
		want := anyBlock(rng)
		body := want.Append(nil)
		if len(body) > MaxBody {
			t.Fatalf("block %d: Append made %d bytes, want at most %d", i, len(body), MaxBody)
		}
		if err := got.Decode(body); err != nil {
			t.Fatalf("block %d: Decode(Append()) = %v, want no error", i, err)
		}
		if got.Origin != want.Origin || got.From != want.From || len(got.Samples) != len(want.Samples) ||
			len(want.Samples) > 0 && (!reflect.DeepEqual(got.Samples, want.Samples) || !reflect.DeepEqual(got.Owners, want.Owners)) {
			t.Fatalf("block %d: got %+v, want %+v", i, got, *want)
		}
	}
}

func TestTheLargestBlockFitsAMessage(t *testing.T) {
	b := &Block{Origin: Import}
	long := make([]byte, 160)
	for i := range long {
		long[i] = 'x'
	}
	for i := range PerWeek {
		s := Sample{Mean: uint16(i % 2 * 900), Memory: uint16((i + 1) % 2 * 1000), Seconds: uint8(1 + i%2)}
		s.Peak = min(s.Mean+500, Unit)
		if !b.Put(int64(i), s, Owner{Tenant: string(long), Cores: math.MaxUint32, Memory: math.MaxInt64 - int64(i%maxOwners)}) {
			t.Fatal(i)
		}
	}
	if n := len(b.Append(nil)); n > MaxBody {
		t.Errorf("Append made %d bytes, want at most %d", n, MaxBody)
	}
}

func TestALivelyDayTakesFewBytes(t *testing.T) {
	b := lively(rand.New(rand.NewPCG(3, 4)))
	perSample := float64(len(b.Append(nil))) / float64(b.Observed())
	if perSample > 4 {
		t.Errorf("Append made %.2f bytes a sample, want at most 4", perSample)
	}
	quiet := &Block{}
	for i := range PerDay {
		quiet.Put(int64(i), Sample{Mean: 20, Peak: 21, Memory: 300, Seconds: 120}, web)
	}
	if n := len(quiet.Append(nil)); n > PerDay+60 {
		t.Errorf("Append(a day without change) made %d bytes, want at most %d", n, PerDay+60)
	}
}

func TestGarbageIsRefused(t *testing.T) {
	good := lively(rand.New(rand.NewPCG(5, 6))).Append(nil)
	var b Block
	for n := range good {
		if err := b.Decode(good[:n]); !errors.Is(err, ErrGarbage) {
			t.Fatalf("Decode(the first %d of %d bytes) = %v, want ErrGarbage", n, len(good), err)
		}
	}
	head := []byte{version, 0, 0}
	for what, body := range map[string][]byte{
		"nothing":               nil,
		"a byte behind":         append(append([]byte{}, good...), 0),
		"an unknown origin":     {version, 2, 0, 0, 0},
		"version 0":             {0, 0, 0, 0, 0},
		"a slot of year 10000":  {version, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0},
		"a long varint":         {version, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0, 0},
		"too many owners":       append(head, 65),
		"a tenant with a dot":   append(head, 1, 3, 'a', '.', 'b', 1, 0, 0),
		"a tenant of 1 GB":      append(head, 1, 0x80, 0x80, 0x80, 0x80, 0x04),
		"more than a week":      append(head, 0, 0xb1, 0x27),
		"no owner":              append(head, 0, 1, 1, 120, 1, 0, 0, 0, 0, 0, 0, 0),
		"an owner out of range": append(head, 1, 0, 0, 0, 1, 1, 120, 1, 1, 0, 0, 0, 0, 0, 0),
		"121 seconds":           append(head, 1, 0, 0, 0, 1, 1, 121, 1, 0, 0, 0, 0, 0, 0, 0),
		"a run of 0":            append(head, 1, 0, 0, 0, 1, 0, 120, 1, 0, 0, 0, 0, 0, 0, 0),
		"a run of 2 of 1":       append(head, 1, 0, 0, 0, 1, 2, 120, 1, 0, 0, 0, 0, 0, 0, 0),
		"a mean below 0":        append(head, 1, 0, 0, 0, 1, 1, 120, 1, 0, 1, 0, 0, 0, 0),
		"a peak above 1000":     append(head, 1, 0, 0, 0, 1, 1, 120, 1, 0, 2, 0xe8, 0x07, 0, 0),
		"zeros behind the end":  append(head, 1, 0, 0, 0, 1, 1, 120, 1, 0, 0, 1, 0, 0, 0, 0),
	} {
		if err := b.Decode(body); !errors.Is(err, ErrGarbage) {
			t.Errorf("Decode(%s) = %v, %+v, want ErrGarbage", what, err, b)
		}
	}
	if err := b.Decode([]byte{version + 1, 9}); !errors.Is(err, ErrNewer) {
		t.Errorf("Decode(a newer version) = %v, want ErrNewer", err)
	}
	if err := b.Decode(append(head, 1, 0, 0, 0, 1, 1, 120, 1, 0, 0, 0, 0, 0, 0, 0)); err != nil {
		t.Errorf("Decode(the good form of the cases above) = %v, want no error", err)
	}
}

func TestASubjectAndItsBlockAgree(t *testing.T) {
	const pool = subjects.Pool("p")
	day := time.Date(2026, 5, 6, 0, 0, 0, 0, time.UTC)
	b := &Block{}
	for i := range PerDay {
		b.Put(Slot(day)+int64(i), full(1), web)
	}
	m := Message(pool, "h", b)
	if want := "lull.p.history.h.202605060000"; m.Subject != want {
		t.Fatalf("subject %s, want %s", m.Subject, want)
	}
	var got Block
	for _, subject := range []string{m.Subject, "lull.p.history.h.2026050600"} { // the second by agents of earlier versions
		if host, err := Read(pool, subject, m.Body, &got); err != nil || host != "h" || len(got.Samples) != PerDay {
			t.Errorf("Read(%s) = %q, %v with %d samples, want %q, no error and %d", subject, host, err, len(got.Samples), "h", PerDay)
		}
	}
	b.Origin = Import
	past := Message(pool, "h", b)
	if want := "lull.p.past.h.2026043000"; past.Subject != want { // a Thursday
		t.Fatalf("subject %s, want %s", past.Subject, want)
	}
	if _, err := Read(pool, past.Subject, past.Body, &got); err != nil || got.Origin != Import {
		t.Error(err)
	}
	b.Origin = Agent
	b.Put(Slot(day)+int64(PerDay), full(1), web)
	long := Message(pool, "h", b)
	for _, c := range []struct {
		subject string
		body    []byte
	}{
		{"lull.p.history.h.2026050700", m.Body}, {"lull.p.history.h", m.Body}, {"lull.q.history.h.2026050600", m.Body},
		{"lull.p.past.h.2026043000", m.Body}, {"lull.p.else.h.2026050600", m.Body}, {"lull.p.past.h.202604300000", past.Body}, {"lull.p.history.h.2026050600", past.Body}, {"lull.p.history.h.2026050600.x", m.Body},
		{m.Subject, m.Body[1:]}, {long.Subject, long.Body},
	} {
		if _, err := Read(pool, c.subject, c.body, &got); !errors.Is(err, ErrGarbage) {
			t.Errorf("Read(%s) = %v, want ErrGarbage", c.subject, err)
		}
	}
}

// FuzzDecode: no bytes make Decode panic, and what it accepts can be written again.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		f.Add(anyBlock(rng).Append(nil))
	}
	f.Add(lively(rng).Append(nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		var b, again Block
		if b.Decode(body) != nil {
			return
		}
		for i := range b.Samples {
			if s := b.Samples[i]; s.Mean > s.Peak || s.Peak > Unit || s.Memory > Unit || s.Seconds > 120 || s.Seconds > 0 && int(s.Owner) >= len(b.Owners) || s.Seconds == 0 && s != (Sample{}) {
				t.Fatalf("decoded sample %d = %+v of %d owners, want values within their bounds", i, s, len(b.Owners))
			}
		}
		if err := again.Decode(b.Append(nil)); err != nil || !reflect.DeepEqual(again, b) {
			t.Fatalf("%v: got %+v, want %+v", err, again, b)
		}
	})
}

func BenchmarkDecodeDay(b *testing.B) {
	body := lively(rand.New(rand.NewPCG(1, 1))).Append(nil)
	b.SetBytes(int64(len(body)))
	var block Block
	for b.Loop() {
		if err := block.Decode(body); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*PerDay), "ns/sample")
}
