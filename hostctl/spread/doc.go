// Package spread moves threads of the primary that queue behind each other to
// CPUs where batch work runs.
//
// A CPU that runs out of work looks for threads that wait elsewhere (the
// kernel's newidle balance). Beside batch work no CPU ever runs out, so two
// threads of the primary may share one CPU while the other runs batch, until the
// periodic balance comes by: at 60 % load of two CPUs, 0.42 threads on average
// waited so, and 0.05 behind batch work (Linux 6.18). The idle class cannot help:
// it gives the primary every CPU that it asks for, and here it does not ask.
//
//	s := spread.New(hands.Usable())
//	for each call of the watch's bell, or 2 ms {
//		cpus = watch.Look(cpus[:0])
//		for _, m := range s.Step(now, cpus) {
//			s.Done(now, m, hands.Move(m))
//		}
//	}
//
// Step decides and touches nothing. Hands set a thread's CPU mask to the one CPU
// and back at once; what is between the two calls is noted in a file, so that a
// process that is killed there leaves nothing behind: its successor calls Restore.
//
// Serve is that loop, in a process of its own with precedence over the primary:
// what it looks for lasts a millisecond, and so it must not queue for a CPU, nor
// for leave from Go's scheduler.
package spread
