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
		t.Errorf("an early end was reported as %v", err)
	}
	if err := g.Stop(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "sloppy") {
		t.Errorf("stop = %v, want what sloppy said", err)
	}
	if len(early) != 0 {
		t.Errorf("also reported: %v", <-early)
	}
}

func TestAGroupListensWhenAllDo(t *testing.T) {
	open, closed, failed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	close(open)
	silent := Service{"silent", nil, nil, nil}
	deaf := Service{"deaf", nil, nil, closed}
	g := Group{members: []Service{silent, {"open", nil, nil, open}}}
	if err := g.WaitListening(t.Context(), failed); err != nil {
		t.Error(err)
	}
	g.members = append(g.members, deaf)
	late, stop := context.WithCancel(t.Context())
	stop()
	if err := g.WaitListening(late, failed); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v while one does not listen", err)
	}
	broken := errors.New("broken")
	failed <- broken
	if err := g.WaitListening(t.Context(), failed); !errors.Is(err, broken) {
		t.Errorf("got %v while one has failed", err)
	}
}

func TestAGroupThatNeverStartedStops(t *testing.T) {
	if err := new(Group).Stop(); err != nil {
		t.Error(err)
	}
}
