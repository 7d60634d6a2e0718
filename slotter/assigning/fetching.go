package assigning

import (
	"lull/slotter/facts"
	"lull/subjects/ledger"
)

// fetches reports whether an attempt that has not started may still fetch its input: it is no
// straggler then, and a rival would only fetch the same once more. Patience is that of
// learning.Models.
func fetches(at *ledger.Attempt, now int64, patience float64) bool {
	return at.Started == 0 && patience > 0 && facts.ReadsOthers(at) && float64(now-at.Assigned) < patience*1e9
}
