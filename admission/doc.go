// Package admission decides whether a submitted job may run: it says so at
// once and with numbers, instead of letting a deadline pass.
//
// It moves what clients publish from the inbox into the log, each message as
// exactly one event that carries the message's sequence, in order:
//
//	message               events in the log
//	submission            submitted, and its verdict: admitted or rejected
//	invalid submission    rejected
//	cancel, retry         cancelled, retried; void if they do not fit
//	bytes of no document  none: they are kept in quarantine
//
// A verdict that cannot be given yet, because no host has been heard of, comes
// later; the job waits in the ledger as submitted.
//
// A job with a deadline is admitted if MIMP's equation 7 holds: its deadline
// is not before the time that the jobs with earlier deadlines and itself take
// (equation 6), on what the hosts' primaries leave idle now. The paper stops
// there (mode "eq7"); the default mode "affected" also checks every job with a
// later deadline that the newcomer would push, unless its promise is broken
// already. Jobs without a deadline come last and are always admitted, if there
// is a host that can run them at all.
//
//	jobs by deadline    ├─ A ─┤├── new ──┤├─ B ─┤├─ C ─┤   no deadline …
//	                          ▲          ▲      ▲      ▲
//	must not be passed:     A's D     new's D   B's D   C's D (mode "affected")
//
// The earliest safe deadline of a rejected job follows from the same picture:
// see earliest.
package admission
