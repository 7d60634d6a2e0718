package ledger

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// full returns a state with hosts of 8 slots and one job of n tasks.
func full(b *testing.B, hosts int, n uint32) *State {
	s := New()
	for i := range hosts {
		s.Apply(s.Seq+1, time.Unix(0, 1), &subjects.Joined{Host: fmt.Sprint("host-", i), Slots: 8, Memory: 1 << 40})
	}
	job := spec.Job{Name: "job", Type: "job", Stages: []spec.Stage{
		{Name: "one", Argv: []string{"true"}, Tasks: n, CPU: 1, Memory: 1},
	}}
	s.Apply(s.Seq+1, time.Unix(0, 1), &subjects.Submitted{Job: "j", Spec: job})
	if v := s.Apply(s.Seq+1, time.Unix(0, 1), &subjects.Admitted{Job: "j"}); v.Outcome == Void {
		b.Fatal(v.Why)
	}
	return s
}

// One assignment and its finish, as tasks of one job flow over 10,000 slots.
func BenchmarkAssignedFinished(b *testing.B) {
	const hosts, tasks = 1250, 1_000_000
	s := full(b, hosts, tasks)
	now := time.Unix(0, 2)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%tasks == 0 && i > 0 {
			b.StopTimer()
			s = full(b, hosts, tasks)
			b.StartTimer()
		}
		h := s.byID[i%hosts]
		e := subjects.Assigned{Host: h.Name, Job: "j", Term: h.Term, Width: 1, TaskID: subjects.TaskID{Task: uint32(i % tasks)}}
		s.Apply(s.Seq+1, now, &e)
		f := subjects.Finished{Host: h.Name, Job: "j", Fact: subjects.Fact{TaskID: e.TaskID, Term: h.Term, Attempt: s.Seq}}
		if v := s.Apply(s.Seq+1, now, &f); v.Outcome != Committed {
			b.Fatal(v)
		}
	}
}

// What a task of a job of a million costs in memory.
func BenchmarkBytesPerTask(b *testing.B) {
	const tasks = 1_000_000
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := full(b, 1, tasks)
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(s)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/tasks, "B/task")
	}
}

func BenchmarkSnapshot(b *testing.B) {
	s := full(b, 1250, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Snapshot(); err != nil {
			b.Fatal(err)
		}
	}
}
