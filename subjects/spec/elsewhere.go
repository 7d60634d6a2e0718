package spec

import (
	"cmp"
	"fmt"
	"slices"
)

// elsewhere says where a field belongs that stands on the wrong floor of a document: one of a stage in
// the job, or one of the job in a stage. known are the fields of the floor on which it stands. It
// returns "" if no floor has such a field.
func elsewhere(name string, known []field) string {
	names := []string{name, cmp.Or(foreignFields[name], name)}
	find := func(in []field) string {
		at := slices.IndexFunc(in, func(f field) bool { return slices.Contains(names, f.name) })
		if at < 0 {
			return ""
		}
		return in[at].name
	}
	job, stage := new(Doc).fields(), new(DocStage).fields()
	at := func(floor []field) bool {
		return len(known) > 0 && known[0].name == floor[0].name && len(known) == len(floor)
	}
	shared := new(DocStage).shared()
	switch {
	case at(job) && find(shared) != "":
		return fmt.Sprintf("it belongs in a stage, or under `defaults:`, which are for all stages: write `defaults: {%s: …}`", find(shared))
	case at(job) && find(stage) != "":
		return fmt.Sprintf("`%s:` belongs in a stage: move it to an item of `stages:`", find(stage))
	case (at(stage) || at(shared)) && find(job) != "":
		return fmt.Sprintf("`%s:` belongs to the job: move it out, beside `stages:`", find(job))
	case at(shared) && find(stage) != "":
		return fmt.Sprintf("`%s:` belongs in a stage: stages have no default for it", find(stage))
	}
	return ""
}
