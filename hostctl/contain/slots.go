package contain

import (
	"fmt"
	"hash/fnv"
	"os"
	"strings"

	"lull/actors/account"

	"golang.org/x/sys/unix"
)

// Tasks of one user may change each other's limits (prlimit with RLIMIT_CPU kills), priorities and keyrings,
// and share the user's quotas; Landlock restricts none of that. So each slot's tasks have a user of their own
// where the agent may choose one. No uid is known to be free: tasks with a uid that a directory service has
// given away would act as that person. The default lies where systemd, sssd and /etc/subuid give none away.

// firstSlotUser is the first uid that is chosen for slots: above the 200,000 to 2,000,200,000 of sssd and FreeIPA,
// below 2^31, from which on some programs take uids for negative. Each data folder begins at one of slotsBases.
const (
	firstSlotUser = 2_100_000_000
	slotsBases    = 512
)

// slotsMost bounds the uids that are asked for: the kernel's highest means "unchanged".
const slotsMost = 1 << 16

// PerSlot gives each slot's tasks a user of their own, from base on. It fails where
// tasks keep the agent's user, and where these users could not work in data. A base of 0 chooses one,
// unless the tasks' user was named.
func (p *Policy) PerSlot(base uint32, data string) error {
	switch {
	case base == 0:
		p.chooseBase(data)
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

// chooseBase gives each slot a user of the task user's group, so that its tasks read what that group may. It does
// not where that would take something from tasks, and says why.
func (p *Policy) chooseBase(data string) {
	if p.User.IsAgent() || p.named {
		return
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(data))
	one := *p
	p.Base, p.group = firstSlotUser+h.Sum32()%slotsBases*slotsMost, p.User.GID
	ids, _ := os.ReadFile("/proc/self/uid_map")
	switch slot := p.UserOf(0); {
	case !mapped(string(ids), uint64(p.Base), slotsMost):
		one.Shared = "this container has no uids to spare"
	case slot.CheckEnter(data) != nil:
		one.Shared = slot.CheckEnter(data).Error()
	default:
		for _, path := range p.Write {
			if mayWrite(p.User, path) && !mayWrite(slot, path) {
				one.Shared = "--task-write " + path + " is that user's"
			}
		}
	}
	if one.Shared != "" {
		*p = one
	}
}

// mayWrite reports whether a user may write to a path.
func mayWrite(u account.User, path string) bool {
	return u.Run(func() error { return account.CheckAccess(path, unix.W_OK) }) == nil
}

// mapped reports whether a uid_map (user_namespaces(7)) holds n ids from first on.
func mapped(ids string, first, n uint64) bool {
	for line := range strings.Lines(ids) {
		var inside, outside, length uint64
		if _, err := fmt.Sscan(line, &inside, &outside, &length); err == nil && inside <= first && first+n <= inside+length {
			return true
		}
	}
	return false
}

// UserOf returns the user of a slot's tasks.
func (p Policy) UserOf(slot int) account.User {
	if p.Base == 0 {
		return p.User
	}
	id := p.Base + uint32(slot)
	if p.group != 0 {
		return account.User{UID: id, GID: p.group}
	}
	return account.User{UID: id, GID: id}
}
