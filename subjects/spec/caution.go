package spec

import (
	"path"
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
	return all
}
