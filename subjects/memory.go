package subjects

// Memory is the memory use of a process that holds a pool's state, in bytes, at the last
// garbage collection.
type Memory struct {
	Live  uint64 `msgpack:"live"`  // in use
	Limit uint64 `msgpack:"limit"` // most that the process may take, garbage included
	// Collector is the share of the process's recent CPU time that the garbage
	// collector took, 0–1.
	Collector float64 `msgpack:"collector"`
	// Full says that Live exceeds half of Limit: new work waits in the inbox until
	// jobs end.
	Full bool `msgpack:"full"`
}
