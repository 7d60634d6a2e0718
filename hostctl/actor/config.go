package actor

// Config says which host an Actor speaks for and what the host keeps back.
type Config struct {
	// Host is the host's token in subjects.
	Host string
	// Cores of the host, and Slots that it offers. At least 1 each.
	Cores, Slots uint32
	// Ahead is the number of places beside the slots in which attempts of one
	// core wait until a slot is free.
	Ahead uint32
	// ReserveCPU is the number of cores kept free beside the primary's use,
	// rounded up, and the slots in use. 0: the kernel protects the primary, no
	// core stands idle for it.
	ReserveCPU uint32
	// ReserveMemory is the bytes of available memory below which tasks are
	// evicted. 0: none.
	ReserveMemory int64
	// Evict is who goes first.
	Evict Eviction
	// Tenant is whose the host's primary is; "" if nobody said.
	Tenant string
	// Reckoned is what the last actor of this process left, if there was one.
	Reckoned Reckoned
	// Stay leaves tasks running when the agent stops, for the next one to adopt.
	Stay bool
}
