package serve

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestGroupTellsAnEarlyEndFromABadStop(t *testing.T) {
	broken := errors.New("broken")
	early := make(chan error, 2)
	var g group
	fine := func(ctx context.Context) error { <-ctx.Done(); return nil }
	g.start(func(err error) { early <- err },
		service{"fine", fine, nil},
		service{"quitter", func(context.Context) error { return nil }, nil},
		service{"sloppy", func(ctx context.Context) error { <-ctx.Done(); return broken }, nil})
	if err := <-early; !strings.Contains(err.Error(), "quitter") {
		t.Errorf("an early end was reported as %v", err)
	}
	if err := g.stop(); !errors.Is(err, broken) || !strings.Contains(err.Error(), "sloppy") {
		t.Errorf("stop = %v, want what sloppy said", err)
	}
	if len(early) != 0 {
		t.Errorf("also reported: %v", <-early)
	}
}

func TestAGroupThatNeverStartedStops(t *testing.T) {
	if err := new(group).stop(); err != nil {
		t.Error(err)
	}
}
