package contain

import (
	"fmt"

	"lull/actors/account"
)

// By default the tasks of all slots run as one user. The fence keeps them from signalling and
// tracing each other where the kernel can (Landlock ABI 6). One user a slot does so everywhere, and
// without any fence it also protects what one slot's task wrote from the next task. It is not the
// default because no uid is known to be free: tasks with a uid that a directory service has given
// away would act as that person.

// slotsMost bounds the uids that are asked for: the kernel's highest means "unchanged".
const slotsMost = 1 << 16

// PerSlot gives each slot's tasks a user of their own, from base on. It fails where
// tasks keep the agent's user, and where these users could not work in data.
func (p *Policy) PerSlot(base uint32, data string) error {
	switch {
	case base == 0:
		return nil
	case p.User.IsAgent():
		return fmt.Errorf("slot uid base %d: tasks keep the agent's user (%s)", base, p.Why)
	case base > 1<<32-2-slotsMost:
		return fmt.Errorf("slot uid base %d: use one below %d", base, uint32(1<<32-1-slotsMost))
	}
	p.Base = base
	if err := p.UserOf(0).CheckEnter(data); err != nil {
		return fmt.Errorf("%w: %s", err, remedy)
	}
	return nil
}

// UserOf returns the user of a slot's tasks.
func (p Policy) UserOf(slot int) account.User {
	if p.Base == 0 {
		return p.User
	}
	id := p.Base + uint32(slot)
	return account.User{UID: id, GID: id}
}
