package conformance

import (
	"context"
	"errors"
	"sync"
	"testing"

	"lull/actors"
)

// flaky is a bus whose connection is lost again and again while a service begins: each call fails
// once.
type flaky struct {
	actors.Bus
	mu    sync.Mutex
	asked map[string]bool
}

func (f *flaky) fail(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked[call] {
		return nil
	}
	f.asked[call] = true
	return errors.New("the connection is lost: " + call)
}

func (f *flaky) Log(ctx context.Context) (actors.LogInfo, error) {
	if err := f.fail("log"); err != nil {
		return actors.LogInfo{}, err
	}
	return f.Bus.Log(ctx)
}

func (f *flaky) Load(ctx context.Context, name string) (actors.Snapshot, error) {
	if err := f.fail("load"); err != nil {
		return actors.Snapshot{}, err
	}
	return f.Bus.Load(ctx, name)
}

func (f *flaky) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	if err := f.fail("follow"); err != nil {
		return nil, err
	}
	return f.Bus.Follow(ctx, from, filter)
}

func (f *flaky) Listen(ctx context.Context, subject string) (<-chan actors.Delivery, error) {
	if err := f.fail("listen"); err != nil {
		return nil, err
	}
	return f.Bus.Listen(ctx, subject)
}

// beginsAgain: a connection that is lost while a service begins ends nothing.
func beginsAgain(t *testing.T, open Opener) {
	bus := &flaky{Bus: open(t).Bus, asked: map[string]bool{}}
	h := start(t, config(bus))
	h.awaitLead()
	h.end()
	for _, call := range []string{"log", "load", "follow", "listen"} {
		if !bus.asked[call] {
			t.Errorf("the shell never called %s, want each call tried", call)
		}
	}
}
