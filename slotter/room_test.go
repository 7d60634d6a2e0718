package slotter

import (
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// A host that leaves a task no CPU ends it only if the task can go on elsewhere. The only host, and a
// host of a full pool, are told of no other.
func TestAHostLearnsWhichTasksAnotherHasRoomFor(t *testing.T) {
	p := newPool(t, Config{Rivals: -1})
	movable := func(host string) []uint64 {
		p.settle()
		return ask[subjects.RoomAnswer](t, p, subjects.AskRoom, &subjects.RoomAsk{Host: host}).Attempts
	}
	p.join("a", 2, 1000, 2)
	small, large := tasks("small", 1), tasks("large", 1)
	small.Memory, large.Memory = 10, 500
	p.submitSpec("j", 0, spec.Job{Name: "job", Type: "j", Stages: []spec.Stage{small, large}})
	p.settle()
	on := p.a.State().Host("a").Attempts()
	if len(on) != 2 {
		t.Fatalf("attempts on the host = %d, want both tasks", len(on))
	}
	if got := movable("a"); len(got) != 0 {
		t.Errorf("with a single host, movable = %v, want none", got)
	}
	p.join("b", 1, 100, 1)
	want := []uint64{}
	for _, at := range on {
		if at.Memory == 10 {
			want = append(want, at.ID)
		}
	}
	if got := movable("a"); !slices.Equal(got, want) {
		t.Errorf("beside a host of 100 bytes, movable = %v, want %v, the task of 10", got, want)
	}
	p.use("b", 0)
	if got := movable("a"); len(got) != 0 {
		t.Errorf("beside a host without idle CPU, movable = %v, want none", got)
	}
	p.use("b", 1)
	p.submit("k", 0, tasks("one", 1))
	p.settle()
	if got := movable("a"); len(got) != 0 {
		t.Errorf("in a full pool, movable = %v, want none", got)
	}
	if got := movable("unknown"); len(got) != 0 {
		t.Errorf("of a host that never joined, movable = %v, want none", got)
	}
}
