package datanode

import "lull/subjects"

// Node is a data node: a file server, a disk, a web server, a host's agent.
type Node struct {
	name       string
	configured int64 // capacity in bytes/s, 0 if the operator gave none
	learnt     Learnt

	// What the tasks that run are predicted to read. Whole bytes, so that the
	// sum does not depend on the order in which it was made.
	load    int64
	readers int
	at      int64   // when area was brought up to date
	area    float64 // ∫ load dt, in bytes, to have the mean over a task's life

	// What the current round has planned beside that.
	round   uint64
	planned int64
	joining int
}

// Capacity is what the node can give, in bytes/s; 0 if that is not known.
func (n *Node) Capacity() int64 {
	if n.configured > 0 {
		return n.configured
	}
	return n.learnt.Capacity
}

// Name is the name by which stages give the node, such as nfs:filer1.
func (n *Node) Name() string { return n.name }

// Load is what the running tasks are predicted to read from the node, in bytes/s.
func (n *Node) Load() int64 { return n.load }

// Readers is the number of running tasks that read from the node.
func (n *Node) Readers() int { return n.readers }

// Full reports whether one task more overloads the node. One task may always
// read: otherwise a job that asks for more than there is would wait for ever. Tasks
// that were planned count if they were planned in the same round.
func (n *Node) Full(rate int64, round uint64) bool {
	load, readers := n.load, n.readers
	if n.round == round {
		load, readers = load+n.planned, readers+n.joining
	}
	capacity := n.Capacity()
	return capacity > 0 && rate > 0 && readers > 0 && load+rate > capacity
}

// plan counts a task that the round assigns, until the log brings it back.
func (n *Node) plan(rate int64, round uint64) {
	if n.round != round {
		n.round, n.planned, n.joining = round, 0, 0
	}
	n.planned += rate
	n.joining++
}

// Describe returns the node as clients see it. waits says that a task waits for it.
func (n *Node) Describe(waits bool) subjects.DataNode {
	return subjects.DataNode{
		Name: n.name, Load: float64(n.load), Readers: uint32(n.readers),
		Capacity: float64(n.Capacity()), Learnt: n.configured == 0 && n.Capacity() > 0, Overloaded: waits,
	}
}
