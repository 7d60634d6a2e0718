package guard

// Waits are counters of how long the primary's threads ran and waited, in seconds since
// a fixed moment. A counter that falls has restarted.
type Waits struct {
	Ran     float64 // CPU seconds they used
	Delayed float64 // seconds they waited for a CPU while batch work had one
}

// Sensor measures the waits of the primary.
type Sensor interface{ Read() (Waits, error) }

// Sample is a measurement of the host. Counters are seconds since some fixed moment;
// the guard uses their growth.
type Sample struct {
	Tasks int // batch tasks on the host, frozen ones too

	Sensed bool // Waits was read
	Waits

	MemoryFree  int64 // bytes available; 0: not measured
	MemoryBatch int64 // bytes that batch work holds, its page cache too
	// MemoryStall and DiskStall are the seconds in which any thread except batch work's stalled for
	// memory or for a disk, as far as the host knows.
	MemoryStall float64
	DiskStall   float64
	DiskRate    float64 // bytes/s of the host's disks, read and written
}

// Orders are the bounds for batch work from now on. They hold until the next Orders.
type Orders struct {
	// Cores is how many cores batch work may use, 1 to all of them.
	Cores int
	// Frozen stops all tasks. None may start meanwhile.
	Frozen bool
	// Yield leaves batch work almost no CPU beyond its ration, because the primary uses
	// every core. Tasks may start.
	Yield bool
	// Evict asks once for the end of one task. AtOnce, for memory, allows it no grace. Without it
	// the task lacks CPU, and ends only if another host has room for it. EvictReason says why, for
	// people.
	Evict, AtOnce bool
	EvictReason   string
	// MemoryHigh is the bytes above which the kernel reclaims batch work's page cache
	// before it gets more memory; 0 for no bound.
	MemoryHigh int64
	// Reclaim is the bytes of batch work's page cache to reclaim now; 0 for none.
	Reclaim int64
	// DiskRate bounds batch work's disk traffic in bytes/s, 0 for no bound.
	DiskRate int64
	// Why explains to people what is bounded and for what reason; "" if nothing is.
	Why string
}
