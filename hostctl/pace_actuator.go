package hostctl

import (
	"context"

	"lull/hostctl/cgroup"
	"lull/hostctl/slots"
)

// newActuator chooses how slots are capped: by quota, through the owner of the
// caps, or else by stopping them for a part of the time. Without a freezer the
// shim stops a task by signals.
func newActuator(caps cgroup.Capabilities, owner *slots.Caps, all func() []*slots.Slot) actuator {
	if caps.Cap.OK() {
		return owner
	}
	return newDuties(1, func(ctx context.Context, n int, on bool) error {
		return all()[n].Freeze(ctx, slots.ByPace, on)
	})
}

var _ actuator = (*slots.Caps)(nil)
