// Package actor is the pure half of a host's controller: it folds the facts
// about its own host and says what is to be started, frozen and killed there,
// and what the host owes the log.
//
// It mirrors the ledger: an attempt is held from its assigned until a terminal
// fact about it (finished, failed, evicted, declined) of the current term comes
// back from the log. Everything held is answered for, exactly once:
//
//	              refused (slot, paused, disk, reserve), revoked
//	                ┌─────────────────────────────────────────┐
//	                │                                         ▼
//	assigned ───▶ given ──Start──▶ started ──Ended report──▶ ended ──said, echoed──▶ gone
//	                │                 │  ▲                    ▲
//	                │                 └──┘ Running report     │
//	                └── of an earlier term, not adopted ──────┘ evicted{vanished}
//
// Between Start and Ended an attempt may be reported Exited: its output is still being
// committed, and its slot runs the next one.
//
// An attempt is given until enough slots are free, first come, first served.
// Mostly they are, and it starts in the step that folds it; the others stand in
// a place ahead, so that the next task begins when one ends, without a way
// through the log. Which slot's shim runs it is decided at its start. While
// enough waits, ends are said together, a few milliseconds late.
//
// What stands in the log survives a crash; what a process did is known only to
// this process, and is told again by the shims after a restart (Adopted). An
// attempt of an earlier term is never started: nobody can say whether it ran.
//
// The shell performs actions, and reports what became of them:
//
//	Start, Adopt → Running, perhaps Exited, then Ended
//	Kill         → Ended
//	Freeze, Thaw
//	Know         (what this host learnt of how tasks follow their caps)
//	Pace         → Identified, if nothing was known of its type
//	Forget       (its end stands in the log)
//	Drop         (the log does not know it: end it, say nothing)
//	Hold         (what the next heartbeats say)
//	Rejoin       (the host was declared lost: open a new term)
//	Gone         (Left stands in the log: the agent may end)
package actor
