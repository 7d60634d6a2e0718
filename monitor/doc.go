// Package monitor samples a host once a second: what its primary tenant uses,
// what lull's batch work uses, and what is left.
//
//	m, err := monitor.New(monitor.Config{Host: "a", Batch: tree, Publish: publish})
//	…
//	err = m.Run(ctx)
//
// Primary is the host's CPU less that of lull's own cgroup and process: everything else on the
// machine counts as the tenant. lull's process works for batch work, so its CPU counts as idle.
// Otherwise a pool of short tasks would take its own cost for a busy primary and leave slots empty
// for it. CPU is in cores; steal and iowait are no use of the host's, and guests already count as
// user time. The host's cores are its online CPUs, even when the monitor itself may use only some
// of them: it reports about the host, not about its own limits.
//
// A sensor of package waits measures the primary's waits, if the host supports it: how long its
// threads wait for a CPU, and how much of that because batch work runs. Totals adds it up beside
// what batch work harvested.
//
// A sample never waits. Each sampler (CPU, memory, disk, network, pressure, free space) reads in a
// goroutine of its own. A tick asks them all and publishes what has been answered within a grace
// time. A statfs that hangs on a dead file server leaves its last value, Usage.Age grows, and the
// rest goes out on time:
//
//	tick ──ask──▶ source ──read──▶ answer ──┐
//	  │             └ still reading: stuck  │
//	  └──── answers, or the grace time ─────┴──▶ Publish(last values, age)
package monitor
