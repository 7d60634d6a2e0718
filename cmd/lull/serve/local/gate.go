package local

import (
	"context"
	"fmt"
	"sync/atomic"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
)

// gate refuses appends while the disk of the embedded server is full. A write
// that fails in the server freezes its stream; one that is not tried does not.
type gate struct{ shut atomic.Bool }

// gated is a bus that refuses appends while its gate is shut.
type gated struct {
	*jetstream.Bus
	gate *gate
}

var _ actors.Bus = (*gated)(nil)

func (g *gated) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	if g.gate.shut.Load() {
		return 0, fmt.Errorf("the disk is nearly full: %w", actors.ErrFull)
	}
	return g.Bus.Append(ctx, batch, fence)
}
