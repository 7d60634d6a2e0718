package service

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestGroupTellsAnEarlyEndFromABadStop(t *testing.T) {
	broken := errors.New("broken")
	early := make(chan error, 2)
	var g Group
	fine := func(ctx context.Context) error { <-ctx.Done(); return nil }
	g.Start(func(err error) { early <- err },
		Service{"fine", fine, nil, nil},
		Service{"quitter", func(context.Context) error { return nil }, nil, nil},
		Service{"sloppy", func(ctx context.Context) error { <-ctx.Done(); return broken }, nil, nil})
	if err := <-early; !strings.Contains(err.Error(), "quitter") {
		t.Errorf("early end = %v, want an error that names quitter", err)
	}
	if err := g.Stop(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "sloppy") {
		t.Errorf("Stop() = %v, want %v, of sloppy", err, broken)
	}
	if len(early) != 0 {
		t.Errorf("second early end = %v, want none", <-early)
	}
}

func TestAGroupListensWhenAllDo(t *testing.T) {
	open, closed, failed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	close(open)
	silent := Service{"silent", nil, nil, nil}
	deaf := Service{"deaf", nil, nil, closed}
	g := Group{members: []Service{silent, {"open", nil, nil, open}}}
	if err := g.WaitListening(t.Context(), failed); err != nil {
		t.Errorf("WaitListening() when all listen = %v, want no error", err)
	}
	g.members = append(g.members, deaf)
	late, stop := context.WithCancel(t.Context())
	stop()
	if err := g.WaitListening(late, failed); !errors.Is(err, context.Canceled) {
		t.Errorf("WaitListening() while one does not listen = %v, want context.Canceled", err)
	}
	broken := errors.New("broken")
	failed <- broken
	if err := g.WaitListening(t.Context(), failed); !errors.Is(err, broken) {
		t.Errorf("WaitListening() when one has failed = %v, want %v", err, broken)
	}
}

func TestAGroupThatNeverStartedStops(t *testing.T) {
	if err := new(Group).Stop(); err != nil {
		t.Errorf("Stop() of a group that never started = %v, want no error", err)
	}
}
