package attempts

import (
	"slices"

	"lull/hostctl/contain"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/store"
)

// Owner is the owner of the folders of a slot's tasks.
func Owner(p contain.Policy, slot int) store.Owner {
	user := p.UserOf(slot)
	return store.Owner{UID: int(user.UID), GID: int(user.GID)}
}

func (c *Config) owner(slot int) store.Owner { return Owner(c.Policy, slot) }

// bounds are what an attempt may do.
func (c *Config) bounds(s *slots.Slot, f store.Folder) shim.Bounds {
	own := []string{f.Out(), f.Work(), f.Checkpoint()}
	return shim.Bounds{
		Write:      slices.Concat(own, c.Policy.Write, c.Policy.Devices()),
		Hide:       c.Policy.Hidden(),
		Read:       []string{f.Path},
		Unfenced:   c.Policy.Mode != contain.Full,
		Privileged: c.Policy.Mode == contain.Off,
		User:       c.Policy.UserOf(s.N),
	}
}

// shielded reports whether tasks cannot write to the agent's folders: they run as another user,
// or a fence confines them to their own.
func (c *Config) shielded(s *slots.Slot) bool {
	return !c.Policy.UserOf(s.N).IsAgent() || c.fenced()
}

// fenced reports whether tasks can write below the data folder to their own folders only.
func (c *Config) fenced() bool { return c.Policy.Fences(c.Store.Root()) }
