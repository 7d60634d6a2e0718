package contain

import (
	"fmt"

	"lull/actors/account"
)

// Tasks of all slots are one user's unless told otherwise. The fence keeps them from
// signalling and tracing each other where the kernel has one (Landlock ABI 6); a user a slot does so
// everywhere, and keeps what one slot's task wrote from the next one's where there is no fence at all. It is
// not the default because no number is known to be free: a uid that a directory of
// people has given away would have tasks act as that person.

// slotsMost bounds the uids that are asked for: the kernel's highest means "unchanged".
const slotsMost = 1 << 16

// PerSlot gives each slot's tasks a user of their own, from base on. It fails where
// tasks keep the agent's user, and where these users could not work in data.
func (p *Policy) PerSlot(base uint32, data string) error {
	switch {
	case base == 0:
		return nil
	case p.User.Same():
		return fmt.Errorf("slot uid base %d: tasks keep the agent's user (%s)", base, p.Why)
	case base > 1<<32-2-slotsMost:
		return fmt.Errorf("slot uid base %d: use one below %d", base, uint32(1<<32-1-slotsMost))
	}
	p.Base = base
	if err := p.UserOf(0).Enters(data); err != nil {
		return fmt.Errorf("%w: %s", err, remedy)
	}
	return nil
}

// UserOf is who tasks of a slot run as.
func (p Policy) UserOf(slot int) account.User {
	if p.Base == 0 {
		return p.User
	}
	id := p.Base + uint32(slot)
	return account.User{UID: id, GID: id}
}
