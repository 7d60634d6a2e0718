// Package measure tries for some seconds how well this host protects a
// latency-critical server from batch work, instead of saying what it should.
//
//	r, err := measure.Run(ctx, measure.Config{For: 6 * time.Second})
//	fmt.Println(r)
//
// The server is played by a few threads, each of which receives requests of
// about 1 ms of CPU at random times, fixed beforehand (a Poisson process), so
// that together they take 30 % of the cores they could use. A request's latency
// counts from the time it was meant to begin: a thread that is late for one is
// late for the next, as a server's queue is, and waiting is not left out.
//
// The batch work is a busy loop a core, run as the agent runs tasks: by real
// shims, in real cgroups where the host lets us make some, else without. The
// guard that an agent adds is not part of it: what is measured is what the
// kernel does by itself.
//
// Rounds go alone, beside, beside, alone, so that a machine that gets warmer, or
// busier, slowly, bears on both alike.
package measure
