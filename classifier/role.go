package classifier

import (
	"lull/actors"
	"lull/subjects"
)

// Role is the classifier's part in a pool.
//
// The fold may begin anywhere. The log is trimmed without regard to the classifier's snapshots, because
// a pool may have had a classifier once and have none any more. What was trimmed before the classifier
// folded it may have been a generation of its own. Then new names are numbered from where none was given:
// see unusedNumber.
//
// The classifier has no Filter. It reads the terms of slotter and admission, which say whether they
// read what it says, and it learns of gaps by the sequences of the entries. That costs about 1.2 µs an entry (go test
// ./subjects -bench Decode), 1 % of a core at 10,000 entries a second.
func Role(pool subjects.Pool) actors.Role {
	r := actors.Service(Name, Version, nil)
	r.Anywhere = true
	r.Asks = []string{subjects.AskClassify}
	return r.In(pool)
}
