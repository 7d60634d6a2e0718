package hostctl

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"lull/hostctl/actor"
)

// On the only host, in a full pool and beside a slotter that does not answer, no task loses its work
// for want of CPU.
func TestATaskWithoutCPUEndsOnlyWhereAnotherHostHasRoom(t *testing.T) {
	for _, c := range []struct {
		name    string
		movable []uint64
		err     error
		want    []uint64
	}{
		{name: "no other host has room"},
		{name: "the slotter does not answer", err: errors.New("no slotter")},
		{name: "another host has room for two of them", movable: []uint64{3, 7}, want: []uint64{3, 7}},
	} {
		var got []uint64
		m := newMover(func(context.Context) ([]uint64, error) { return c.movable, c.err },
			func(r any) { got = r.(actor.Relieve).Among }, slog.New(slog.DiscardHandler))
		m.relieve(t.Context(), actor.Relieve{Why: "the primary wanted the CPU"})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: evicts among %v, want %v", c.name, got, c.want)
		}
	}
}
