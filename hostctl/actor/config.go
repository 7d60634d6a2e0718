package actor

// Config describes the host of an Actor and what it keeps for the primary.
type Config struct {
	// Host is the host's token in subjects.
	Host string
	// Cores of the host, and Slots that it offers. At least 1 each.
	Cores, Slots uint32
	// Ahead is the number of places beside the slots in which attempts of one
	// core wait until a slot is free.
	Ahead uint32
	// ReserveCPU is the number of cores kept free beside the slots in use and the
	// primary's use, which is rounded up. 0: none; the kernel alone protects the
	// primary.
	ReserveCPU uint32
	// ReserveMemory is the bytes of available memory below which tasks are
	// evicted. 0: none.
	ReserveMemory int64
	// Evict is the order in which tasks are evicted.
	Evict Eviction
	// Tenant is the tenant that owns the host's primary; "" if unknown.
	Tenant string
	// HarmAccount is the account of the last actor of this process, if there was one.
	HarmAccount HarmAccount
	// Stay leaves tasks running when the agent stops, for the next one to adopt.
	Stay bool
}
