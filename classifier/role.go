package classifier

import (
	"lull/actors"
	"lull/subjects"
)

// Role is the classifier's part in a pool. Nothing that was trimmed from the log can matter to
// it: it alone writes what it folds, so no such entry follows its last snapshot.
func Role(pool subjects.Pool) actors.Role {
	r := actors.Service(Name, Version, nil)
	r.Anywhere = true
	r.Asks = []string{subjects.AskClassify}
	return r.In(pool)
}
