// Package topology describes the network between hosts as a tree: hosts with a NIC each, racks
// with an uplink each, and optionally aggregation above the racks. Links are full duplex, and
// each direction has a rate of its own, in bytes a second.
//
//	         core
//	        /    \
//	  aggregation  …      Up, Down: optional
//	    /    \
//	 rack    rack         Up, Down: the uplink
//	 / \      / \
//	h   h    h   h        Out, In: the NIC
//
// A rack's switch and the core are taken to bear what their links bring. WithTraffic returns the same tree
// with what the primary tenants leave of each link, and WithPromises that with what other jobs were
// promised.
package topology
