// Package waits measures for how long the threads of a host's primary ran, waited for a CPU
// and slept for a disk, and how much of the waiting was because of batch work.
//
//	s, err := waits.Open(waits.Config{Batch: []string{"/sys/fs/cgroup/cpu/lull"}})
//	…
//	before, _ := s.Read()
//	after, _ := s.Read()
//	harm := (after.Delayed - before.Delayed) / (after.Ran - before.Ran)
//
// There are three sensors, each less precise than the one before it. Open takes the best that the
// host allows, and Reading.Name says which one it was.
//
//	eBPF        programs on the scheduler's tracepoints follow each thread:
//	            a wait counts for as long as batch work ran on some CPU, where
//	            the thread could have run. Needs root and a kernel with BTF, from
//	            5.18 on.
//	schedstat   run_delay of the primary's threads: all their waiting, for batch
//	            work or for each other. Needs the primary's cgroups.
//	PSI         time in which some thread of the primary's cgroup waited,
//	            however many did. Needs cgroup v2.
//
// /proc/pressure/cpu is no sensor: batch work that queues for the idle CPU
// dominates it.
//
// Each wait is counted when it ends. While it lasts, eBPF alone shows it:
//
//	cores, _ := s.Cores()
//	seen = cores.Look(seen[:0]) // what runs on each CPU, and what waits there
//
// A look takes 0.2 µs on two CPUs. The kernel signals by a bell when one pays: see Cores.SetListener.
// Sensor.Share gives another process access.
//
// The programs take 0.13 µs a wake-up and a switch.
package waits
