// Package measure measures for some seconds how well this host protects a latency-critical server
// from batch work.
//
//	r, err := measure.Run(ctx, measure.Config{For: 6 * time.Second})
//	fmt.Println(r)
//
// A few threads play the server. Each receives requests of about 1 ms of CPU at random times fixed
// beforehand (a Poisson process), so that together they take 30 % of the cores that they could use.
// A request's latency counts from the time at which it should begin. So a thread that is late for
// one request is late for the next, as in a server's queue, and waiting is not left out.
//
// The batch work is a busy loop a core, run as the agent runs tasks: by real shims, in real cgroups
// where lull can make some. The agent's guard is left out: this measures what the kernel does
// alone.
//
// The rounds go alone, beside, beside, alone. A slow drift of temperature or load then affects both
// alike.
package measure
