// Package tenure keeps the tenant that each host had over time, for which the samples of its agent count.
//
//	an operator listed tenants (pool owned)     the listed tenant; none for a host that is not listed
//	no operator listed any                      the tenant that the host named when it joined
//
// The tenant that a block of samples names does not count: the host's own key writes the block.
//
//	var hosts tenure.Hosts
//	for each entry of the log: hosts.Apply(seq, at, event)
//	tenant := hosts.Spans()[host].At(slot)
//
// A tenant counts from the moment at which the log says so. Samples from before the first such moment count for the
// first tenant, because an agent records before it reaches its pool. The first list that replaces what hosts claimed
// counts for all earlier samples, so that it ends a false claim at once; a later list counts from its own time on. docs/security.md
// says what that protects from.
//
// The package is pure.
package tenure
