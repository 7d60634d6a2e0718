package subjects

// Memory is that of a process which holds a pool's state, in bytes, as the last
// collection of garbage found it.
type Memory struct {
	Live  uint64 `msgpack:"live"`  // what is in use
	Limit uint64 `msgpack:"limit"` // what the process may take, garbage included
	// Collector is the share of the process's CPU that collecting garbage took
	// of late, 0–1.
	Collector float64 `msgpack:"collector"`
	// Full says that Live has its half of Limit: new work waits in the inbox
	// until jobs end.
	Full bool `msgpack:"full"`
}
