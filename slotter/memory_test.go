package slotter

import (
	"runtime"
	"slices"
	"testing"

	"lull/subjects"
)

// A job of a million tasks takes at most 64 bytes a task in the slotter. That includes the ledger's
// tasks, what runs on 1,000 slots, rivals and probes.
func TestAMillionTasksTakeAtMost64BytesEach(t *testing.T) {
	const n = 1_000_000
	before := heap()
	p := newPool(t, Config{Policy: "mp+"})
	p.join("host", 1000, 1<<40, 1000)
	p.submit("big", 0, tasks("only", n))
	for range 100 {
		p.fold(p.decide())
		for i, at := range slices.Clone(p.a.facts.Ledger.Host("host").Attempts()) {
			if i%10 == 0 { // a tenth comes back, which is queued apart
				p.fold([]subjects.Event{&subjects.Evicted{Host: "host", Job: "big", Fact: fact(at)}})
			}
		}
		p.drain()
	}
	p.fold(p.decide())
	if st := p.a.facts.Ledger.Job("big").Stages[0]; st.Done < n/20 || st.Held != 1000 {
		t.Fatalf("tasks done, running = %d, %d, want at least %d, 1000, or this test checks nothing", st.Done, st.Held, n/20)
	}
	each := float64(heap()-before) / n
	t.Logf("%.1f bytes a task", each)
	if each > 64 {
		t.Errorf("a task takes %.1f bytes, want at most 64", each)
	}
	runtime.KeepAlive(p)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
