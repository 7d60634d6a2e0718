package guard

import (
	"strings"
	"testing"
	"time"
)

const mb = 1 << 20

// filling steps a Fill every 200 ms, on a disk with this much free space. Attempts write at their
// own rates, in bytes/s, until the Fill names one.
func filling(f *Fill, free, reserve int64, paces map[uint64]int64, primary int64, most time.Duration) (c Culprit, left int64) {
	const every = 200 * time.Millisecond
	now, held := time.Unix(1000, 0), map[uint64]int64{}
	for end := now.Add(most); now.Before(end); now = now.Add(every) {
		near := f.Look(now, free, reserve)
		var all []Held
		for id := uint64(1); id <= uint64(len(paces)); id++ {
			all = append(all, Held{id, held[id]})
		}
		if near {
			if c, ok := f.Judge(now, reserve, all); ok {
				return c, free
			}
		}
		free -= primary / 5
		for id, pace := range paces {
			held[id] += pace / 5
			free -= pace / 5
		}
	}
	return Culprit{}, free
}

func TestTheTaskThatFillsTheDiskIsEvictedInTime(t *testing.T) {
	for _, pace := range []int64{2 * mb, 50 * mb, 500 * mb} {
		var f Fill
		c, left := filling(&f, 40_000*mb, 1000*mb, map[uint64]int64{1: mb / 2, 2: pace, 3: mb}, 0, 10*time.Hour)
		if c.Attempt != 2 || left < 1000*mb {
			t.Errorf("%d MB/s: %+v with %d MB left, want the second one before 1000", pace/mb, c, left/mb)
		}
		if !strings.Contains(c.Why, "it wrote") || !strings.Contains(c.Why, "1000 MB are kept free") {
			t.Errorf("reason = %q, want what it wrote and what is kept free", c.Why)
		}
	}
}

func TestNoTaskIsEvictedWhileTheDiskHasRoom(t *testing.T) {
	var f Fill
	if c, left := filling(&f, 40_000*mb, 1000*mb, map[uint64]int64{1: 100 * mb}, 0, 5*time.Minute); c.Attempt != 0 {
		t.Errorf("%+v with %d MB left, want no attempt blamed", c, left/mb)
	}
}

// The primary's own writing is no task's fault until the disk's reserve is gone. Then the attempt
// with the most bytes makes room.
func TestThePrimaryFillsTheDisk(t *testing.T) {
	var f Fill
	c, left := filling(&f, 5000*mb, 1000*mb, map[uint64]int64{1: 10, 2: 10}, 100*mb, 2*time.Minute)
	if c.Attempt != 0 {
		t.Errorf("%+v with %d MB left, want no attempt blamed that has next to nothing", c, left/mb)
	}
	f = Fill{}
	now := time.Unix(1000, 0)
	held := []Held{{1, 30 * mb}, {2, 70 * mb}, {3, 20 * mb}}
	for i := range 2 {
		now = now.Add(time.Second)
		f.Look(now, 900*mb, 1000*mb)
		c, ok := f.Judge(now, 1000*mb, held)
		if ok != (i == 1) || ok && (c.Attempt != 2 || !strings.Contains(c.Why, "it held 70 MB")) {
			t.Errorf("look %d: Judge() = %+v, %v, want attempt 2 at the second look", i, c, ok)
		}
	}
}

// One goes at a time: the next look may come before its files are gone.
func TestCulpritsGoOneByOne(t *testing.T) {
	var f Fill
	now, ended := time.Unix(1000, 0), 0
	for i := range 50 {
		now = now.Add(200 * time.Millisecond)
		f.Look(now, 900*mb, 1000*mb)
		if _, ok := f.Judge(now, 1000*mb, []Held{{1, int64(i) * 10 * mb}}); ok {
			ended++
		}
	}
	if ended < 2 || ended > 10 {
		t.Errorf("attempts ended in 10 s = %d, want 2 to 10", ended)
	}
}
