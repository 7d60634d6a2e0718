package guard

// Waits are counters of what the primary's threads did and suffered, in seconds
// since a fixed moment. One that falls has begun anew.
type Waits struct {
	Ran     float64 // CPU seconds they used
	Delayed float64 // seconds they waited for a CPU while batch work had one
}

// Sensor measures what the primary suffers.
type Sensor interface{ Read() (Waits, error) }

// Sample is what the shell sees of the host. Counters are seconds since some
// fixed moment; the guard looks at their growth.
type Sample struct {
	Tasks int // batch tasks on the host, frozen ones too

	Sensed bool // Waits was read
	Waits

	MemoryFree  int64 // bytes available; 0: not looked at
	MemoryBatch int64 // bytes that batch work holds, its page cache too
	// MemoryStall and DiskStall are the seconds in which any thread other than
	// batch stalled for memory or for a disk, as far as the host can tell.
	MemoryStall float64
	DiskStall   float64
	DiskRate    float64 // bytes/s of the host's disks, read and written
}

// Orders are what batch work is to be held to from now on. All of them stand
// until others do.
type Orders struct {
	// Cores is how many cores batch work may use, 1 to all of them.
	Cores int
	// Frozen stops all tasks. None is to start meanwhile.
	Frozen bool
	// Yield leaves batch work next to nothing for now, but for its ration: the
	// primary has every core. Tasks may start.
	Yield bool
	// Evict asks for the end of one task: this time, not until further notice.
	// AtOnce leaves it no grace, For says what it ends for.
	Evict, AtOnce bool
	For           string
	// MemoryHigh is the bytes above which batch work gives its page cache back
	// before it gets more; 0 for no such bound.
	MemoryHigh int64
	// Reclaim asks for so many bytes of batch work's page cache now; 0 for none.
	Reclaim int64
	// DiskRate bounds batch work's disk traffic in bytes/s, 0 for no bound.
	DiskRate int64
	// Why says for people what is held back and for what; "" if nothing is.
	Why string
}
