// Package actor is the pure half of a host's agent. It folds the facts about its own host, and
// returns what to start, freeze and kill there and the events that the host owes the log.
//
// Actor is a composition over shared facts (the host's state in the log and the
// state of the agent's process):
//
//	assignments  the attempts that the log assigns, from Assigned until their end
//	launcher     starts or refuses them; after a restart, compares them with the shims
//	reserve      CPU and memory kept for the primary, and evictions for it
//	pace         the rates at which jobs read their input
//	models       how tasks follow their CPU cap, as this host identified it
//	harm         the account of how long the primary was delayed
//	missing      outputs that vanished from the disk
//
// As in the ledger, an attempt stays from its Assigned until a terminal fact about it (finished,
// failed, evicted, declined) of the current term comes back from the log. The end of each attempt
// is reported exactly once:
//
//	              refused (slot, paused, disk, reserve), revoked
//	                ┌─────────────────────────────────────────┐
//	                │                                         ▼
//	assigned ──▶ waiting ──Start───▶ started ──Ended report─▶ ended ──in the log──▶ removed
//	                │                 │  ▲                    ▲
//	                │                 └──┘ Running report     │
//	                └── of an earlier term, not adopted ──────┘ evicted{vanished}
//
// Between Start and Ended an attempt may be reported Exited: its output is still being
// committed, and its slot runs the next one.
//
// An attempt waits until enough slots are free, first come, first served. Mostly
// they are, and it starts in the step that folds its assignment. The others wait in
// a place ahead: when a task ends, the next one begins without a round trip through
// the log. The slot, and so the shim, is chosen at the start. While enough attempts
// wait, ends are reported in batches, a few milliseconds late.
//
// What stands in the log survives a crash. What a process did is known only to that
// process; after a restart the shims report it again (Adopted). An attempt of an
// earlier term is never started, because it may have run already.
//
// The shell performs actions, and reports their results:
//
//	Start, Adopt → Running, perhaps Exited, then Ended
//	Kill         → Ended
//	Freeze, Thaw
//	KnownModel   (how tasks follow their caps, as this host identified it)
//	Pace         → Identified, if no model of its type was known
//	Forget       (its end stands in the log)
//	Drop         (the log does not have it: end it without a report)
//	SetBeat      (the content of the next heartbeats)
//	Rejoin       (the host was declared lost: open a new term)
//	Gone         (Left stands in the log: the agent may end)
package actor
