// Package wired measures placed jobs on links that the kernel shapes: twelve agents, each in a network
// namespace of its own, in four racks.
//
//	root ── core bridge ── tbf ── rack bridge ── tbf ── agent's namespace
//
// Everything but the agents runs outside of the namespaces, at the core bridge's address.
package wired
