package pacing

import (
	"context"

	"lull/hostctl/cgroup"
	"lull/hostctl/slots"
)

// NewActuator chooses how to cap slots: by quota, through owner, or, where the kernel has
// none, by freezing them for a part of the time. Without a freezer the shim stops the
// task by signals.
func NewActuator(caps cgroup.Capabilities, owner *slots.Caps, all func() []*slots.Slot) Actuator {
	if caps.Cap.OK() {
		return owner
	}
	return newDuties(1, func(ctx context.Context, n int, on bool) error {
		return all()[n].Freeze(ctx, slots.ByPace, on)
	})
}

var _ Actuator = (*slots.Caps)(nil)
