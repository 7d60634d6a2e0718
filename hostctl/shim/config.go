package shim

import (
	"time"

	"lull/hostctl/cgroup"
)

// Config says where and how a slot's shim runs.
type Config struct {
	// Dir is the slot's folder; socket, lock and log of the shim live in it. It
	// is made if missing.
	Dir string
	// Slot is the cgroup that contains the tasks; nil for none.
	Slot *cgroup.Slot
	// Background puts tasks into SCHED_IDLE, and the session into autogroup
	// nice 19: for hosts without cpu.idle.
	Background bool
	// Processes bounds the processes and threads of the tasks' user, for hosts
	// whose cgroups count none; 0 for no bound. It does not bind root.
	Processes uint64
	// FileSize bounds each file that tasks write, in bytes; 0 for no bound. The shim
	// writes their logs under it, too.
	FileSize uint64
	// Command starts a program that calls Main with the arguments that are
	// appended to it. Defaults to this very program with the argument "shim".
	Command []string
	// Idle is how long a shim with nothing to do waits for an agent. Defaults
	// to a minute.
	Idle time.Duration
	// Keep is how long a shim without an agent keeps an end, or a start that
	// failed, that was not acknowledged. Defaults to an hour.
	Keep time.Duration
}

func (c Config) withDefaults() Config {
	if len(c.Command) == 0 {
		c.Command = []string{"/proc/self/exe", "shim"}
	}
	if c.Idle == 0 {
		c.Idle = time.Minute
	}
	if c.Keep == 0 {
		c.Keep = time.Hour
	}
	return c
}
