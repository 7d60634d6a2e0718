package shell_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"lull/actors"
	"lull/actors/memory"
	"lull/actors/shell"
	"lull/subjects"
)

// slow takes a while for each answer, and resumes hosts that are drained.
type slow struct {
	echo
	answered int
	when     chan int // how many were answered when it decided
}

func (a *slow) Step(in actors.Input) (out actors.Output) {
	if entry := in.Entry; entry != nil {
		switch e := entry.Event.(type) {
		case *subjects.Drained:
			a.pending = append(a.pending, e.Host)
		case *subjects.Resumed:
			a.pending = nil
			a.when <- a.answered
		}
	}
	if in.Decide {
		for _, host := range a.pending {
			out.Events = append(out.Events, &subjects.Resumed{Host: host})
		}
	}
	return out
}

func (a *slow) Answer(string, []byte) []byte {
	time.Sleep(10 * time.Millisecond) // virtual: what a forecast before a long queue takes
	a.answered++
	return []byte("answer")
}

// A flood of questions takes turns with the log: decisions go on, and telemetry is read.
func TestAFloodOfQuestionsStopsNoDecision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const flood = 2000
		bus := memory.New("test")
		ctx, stop := context.WithCancel(t.Context())
		a := &slow{when: make(chan int, 1)}
		service := running(t, ctx, shell.Config{Role: actors.Role{Name: "slow", Asks: []string{"all"}}, Bus: bus, Actor: a})
		<-service.Listens()
		synctest.Wait()
		answers, err := bus.Listen(ctx, "answers")
		if err != nil {
			t.Fatal(err)
		}
		for range flood {
			if err := bus.Send(actors.Delivery{Subject: bus.Pool().Ask("all"), Reply: "answers"}); err != nil {
				t.Fatal(err)
			}
		}
		drained, err := subjects.Encode(bus.Pool(), &subjects.Drained{Host: "h"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bus.Append(ctx, []subjects.Message{drained}, actors.Fence{}); err != nil {
			t.Fatal(err)
		}
		if n := <-a.when; n > 20 {
			t.Errorf("questions answered before an event's decision = %d, want at most 20", n)
		}
		for range flood {
			<-answers
		}
		stop()
		<-service.Done()
	})
}
