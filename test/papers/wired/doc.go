// Package wired measures placed jobs on links that the kernel shapes: twelve agents, each in a network
// namespace of its own, in four racks.
//
//	root ── core bridge ── tbf ── rack bridge ── tbf ── agent's namespace
//
// Everything but the agents runs outside of the namespaces, at the core bridge's address. The agents share the
// machine's cores. So that these are no limit, whatever else runs there, all of the pool's processes have real-time
// priority, and each agent sees an idle machine.
package wired
