// Package bound says how fast a job could be on any set of hosts that a search may choose: the limit
// that an answer is read against. It shares no method with the search, and tries no set of hosts.
//
// # All to all
//
// Between equal hosts, each of which keeps as much for each of the others, a shuffle depends on counts
// by rack alone: n of r hosts in a rack send n·(r − n) times b bytes up, and get as many. For a given
// time a rack can therefore hold few hosts, or nearly all, and of all times that some rack
// would need the least is sought for which the racks' hosts add up to r. AllToAll is the exact optimum.
//
// # Any job
//
// Least is a relaxation. A stage takes at least as long as
//
//   - its tasks do on the r best hosts, at the residual and share of the disk that suit each best; and
//   - its bytes need to cross the uplinks, and after them one task to run.
//
// For the second, let a be the part of the bytes that stands in a rack and b the part of the tasks
// that reads there. a·(1 − b) of all bytes go up and b·(1 − a) come down, whichever hosts are chosen. For a
// given time both are bounded, which bounds the largest b, and with it the largest a, that the rack can
// have. If the largest parts of all racks do not add up to one, that time is too short. Neither part can
// be larger than what the rack's slots allow: package comment of share.go. Stages follow each
// other, so along the longest path of the DAG the times add up.
//
// Bytes are divisible here, each stage has all hosts for itself, and each may have other hosts than the
// one before. So the bound is not always attainable.
package bound
