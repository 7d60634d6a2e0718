// Package spread moves threads of the primary that queue behind each other to
// CPUs where batch work runs.
//
// A CPU without work looks for threads that wait elsewhere (the kernel's newidle balance). Beside
// batch work no CPU ever is without work. So two threads of the primary may share one CPU while the
// other runs batch work, until the periodic balance. At 60 % load of two CPUs, 0.42 threads on
// average waited so, and 0.05 behind batch work (Linux 6.18). The idle class cannot help: it gives
// the primary every CPU that it asks for, and here it does not ask.
//
//	s := spread.New(mover.Usable())
//	for each call of the watch's bell, or 2 ms {
//		cpus = watch.Look(cpus[:0])
//		for _, m := range s.Step(now, cpus) {
//			s.Done(now, m, mover.Move(m))
//		}
//	}
//
// Step decides and touches nothing. A Mover sets a thread's CPU mask to the one CPU and back at once.
// A file notes what is between the two calls, so that a process killed there leaves nothing behind:
// its successor calls Restore.
//
// Serve is that loop, in a process of its own with precedence over the primary. What it looks for
// lasts a millisecond, so it must not queue for a CPU, nor for permission from Go's scheduler.
package spread
