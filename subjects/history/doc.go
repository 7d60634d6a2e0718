// Package history has what the primary tenant of each host did in the last 31 days, as samples of
// two minutes, and their form on the wire.
//
// A Block is one message: consecutive samples of one host. Agents write the block of the UTC day
// again whenever it has grown (pool.OfHistory). An import writes one block for each week
// (pool.OfPast), under subjects that no agent's key can write and that replace no agent's block. A
// time without observation is a gap, never a zero.
//
// What a reader does:
//
//	var block history.Block
//	next, err := bus.ReadHistory(ctx, from, pool.OfHistory("*", "*"), func(d actors.Delivery) error {
//		host, err := history.Read(pool, d.Subject, d.Body, &block)
//		…
//	})
//
// The same sample may stand in two blocks: agents' own come before imported ones. A reader
// that reads OfHistory first and adds their slots to a SlotSet for each host skips in OfPast what is in it,
// and holds no samples for that.
package history
