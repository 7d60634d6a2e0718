// Package datanode keeps what tasks read from data nodes: file servers, disks, web servers, and the
// agents of hosts that keep outputs. It answers whether a node can serve one more task (rule iii of
// MIMP). It learns a node's capacity from tasks that took longer than predicted.
//
// The caller brings it up to date host by host, and asks it before it assigns:
//
//	nodes.Update(host, readers, now)             // when the host's attempts changed
//	rd := nodes.Reading(state, job, stage)       // nil: the stage reads from no known node
//	if !rd.Full(rate, round) { rd.Plan(rate, round) }
//	nodes.Learn(seq, host, attempt, slow, now)   // when an attempt has finished
//
// The package is pure: the time and the number of the round are arguments.
package datanode
