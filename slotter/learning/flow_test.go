package learning

import (
	"math"
	"testing"

	"lull/subjects"
)

func flowOf(n int, in, out int64) (f Flow) {
	for range n {
		f.add(&subjects.Finished{Run: subjects.Run{In: in, Out: out}, Files: 1})
	}
	return f
}

func TestAFlowIsWhatTasksGiveForWhatTheyRead(t *testing.T) {
	f := flowOf(3, 1000, 250)
	if perByte, perTask := f.gives(); perByte != 0.25 || perTask != 250 {
		t.Errorf("%g a byte and %g a task, want 0.25 and 250", perByte, perTask)
	}
	f = flowOf(3, 0, 700)
	if perByte, perTask := f.gives(); perByte != 0 || perTask != 700 {
		t.Errorf("gives() of a stage that reads nothing = %g a byte, %g a task, want 0, 700", perByte, perTask)
	}
	f = Flow{}
	f.add(&subjects.Finished{Run: subjects.Run{In: 10, Out: 1 << 30}})
	if perByte, perTask := f.gives(); perByte != 0 || perTask != 0 {
		t.Errorf("gives() of a stage that wrote to stdout only = %g a byte, %g a task, want 0, 0", perByte, perTask)
	}
}

// One task in ten of a filter gives all that it gives: the median would be nothing.
func TestAFewTasksGiveAll(t *testing.T) {
	var f Flow
	for i := range 300 {
		out := int64(0)
		if i%10 == 0 {
			out = 10_000
		}
		f.add(&subjects.Finished{Run: subjects.Run{In: 1000, Out: out}, Files: 1})
	}
	if perByte, _ := f.gives(); math.Abs(perByte-1) > 0.15 {
		t.Errorf("%g a byte, want about 1", perByte)
	}
}

func TestAFlowFollowsAChange(t *testing.T) {
	f := flowOf(10_000, 1000, 1000)
	for range 4 * remembered {
		f.add(&subjects.Finished{Run: subjects.Run{In: 1000, Out: 10}, Files: 1})
	}
	if perByte, _ := f.gives(); perByte > 0.05 {
		t.Errorf("%g a byte, want nearly 0.01", perByte)
	}
}

func fetched(bytes int64, seconds float64) *subjects.Fetch {
	return &subjects.Fetch{Fetching: seconds, Fetched: []subjects.Fetched{{Bytes: bytes, Seconds: seconds}}}
}

func TestTheRateOfFetchesIsThatOfTheBytes(t *testing.T) {
	var f Fetches
	f.add(fetched(100<<20, 1))
	f.add(fetched(100<<20, 1))
	if f.rate() != 0 {
		t.Errorf("rate() of two fetches = %g, want 0", f.rate())
	}
	for range 50 {
		f.add(fetched(1000, 0.01)) // the requests take longer than the bytes
	}
	f.add(fetched(100<<20, 100)) // its network was broken
	if got := f.rate(); got != 1.05e8 {
		t.Errorf("tasks fetch %g B/s, want 105 MB/s", got)
	}
	for range 2 * keptFetches {
		f.add(fetched(100<<20, 10))
	}
	if len(f) != keptFetches || f.rate() != 1.05e7 {
		t.Errorf("fetches kept = %d with rate %g, want %d with 1.05e7", len(f), f.rate(), keptFetches)
	}
	for _, wrong := range []*subjects.Fetch{{}, fetched(0, 1), fetched(1, 0), fetched(math.MaxInt64, 1e-12)} {
		if f.add(wrong) {
			t.Errorf("add(%+v) = true, want it refused", wrong)
		}
	}
	if err := f.check(); err != nil {
		t.Error(err)
	}
	if err := (Fetches{{Bytes: math.NaN(), Seconds: 1}}).check(); err == nil {
		t.Error("check() of a fetch of NaN bytes = nil, want an error")
	}
}

func TestTheLogGetsARateThatChanged(t *testing.T) {
	f := Fetches{{100, 1}, {100, 1}, {100, 1}}
	for told, want := range map[float64]bool{0: true, 100: false, 140: false, 70: false, 151: true, 60: true} {
		if f.differsFrom(told) != want {
			t.Errorf("the log has %g, the rate is 100: %v", told, !want)
		}
	}
}
