package spec

import (
	"path"
	"slices"
	"strings"
)

// Cautions returns what a valid document says that is seldom meant, before its inputs are looked up. Errors
// are of type *Error, with their place.
func Cautions(d *Doc) (all []error) {
	for _, need := range d.Needs() {
		for k, pattern := range need.Inputs {
			ending := strings.ToLower(path.Ext(pattern))
			if need.Split > 0 && need.Record == "" && need.Header == 0 && (ending == ".csv" || ending == ".tsv") {
				all = append(all, d.Errorf(index(need.Path, k), "split cuts %q at line ends, also within quotes, and only the first task of a file gets its header: write record: csv if values hold line ends, and header: 1 if there is a header", pattern))
			}
		}
	}
	return append(all, lostFailures(d)...)
}

// lostFailures returns one error for the first stage whose shell hides failures within a pipeline; nil for none.
func lostFailures(d *Doc) []error {
	at := slices.IndexFunc(d.Stages, func(s DocStage) bool { return hidesFailures(&s) })
	if at < 0 {
		return nil
	}
	return []error{d.Errorf(index("stages", at)+".command",
		"a pipeline counts as done if its last command is, so a failure before a | is not noticed: write shell: [bash, -euo, pipefail, -c] beside stages:")}
}
