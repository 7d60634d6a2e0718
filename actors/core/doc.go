// Package core decides what the runtime of an actor does: when an instance claims a term, which
// batch is out, what follows when its outcome is unknown, when a snapshot is due and what may be
// trimmed. It is pure. Each input is a method of Core. It gets the Moment, and returns the effects
// that the input calls for. The program around the core performs them in order, and returns their
// outcomes as further inputs. Package shell does so on a bus, in real time; the simulator does so
// in virtual time.
//
//	          input                                       effects
//	Fold ─ an entry of the log ─────────┐     ┌─▶ Do       the actor's actions
//	Sample, Report, Request ────────────┤     ├─▶ Answer   a verdict to its sender
//	Leased ─ the lease is ours, or not ─┤     ├─▶ Claim    a term     … Claimed
//	Claimed, Appended, Saved ───────────┼─Core┼─▶ Append   a batch    … Appended
//	InboxOpened, CheckInbox ────────────┤     ├─▶ Save     a snapshot … Saved
//	Ring ─ what Alarm waited for ───────┤     ├─▶ OpenInbox, CloseInbox … InboxOpened
//	Turn ─ all is read: claim, decide ──┘     └─▶ what people are told
//
// The order of inputs is up to what runs it, with one rule: Turn comes after all that is
// there was read. Then one decision is made on all of it.
package core
