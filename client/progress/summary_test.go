package progress

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func ended(phase ledger.Phase, change func(*View)) View {
	return with(running(), func(v *View) {
		v.Phase, v.Ended = phase, start.Add(31*time.Second)
		v.Totals = subjects.Totals{Tasks: 23, Attempts: 24, Evicted: 1, CPU: 41}
		if change != nil {
			change(v)
		}
	})
}

func TestSummaryGolden(t *testing.T) {
	failed := &subjects.Failed{Host: "alpha", Fact: subjects.Fact{TaskID: subjects.TaskID{Task: 3}},
		Reason: subjects.ReasonSignal, Exit: -9, Tail: "one\ntwo"}
	pinned := *failed
	pinned.Reason, pinned.Text, pinned.Tail = subjects.ReasonInput, "input /in/a.csv: changed since submission", ""
	text := ""
	for _, s := range []string{
		Summary(ended(ledger.Finished, nil), nil),
		Summary(ended(ledger.Finished, func(v *View) { v.Output, v.Kept = "", true }), nil),
		Summary(ended(ledger.Finished, func(v *View) { v.Empty = true }), nil),
		Summary(ended(ledger.Finished, func(v *View) { v.Output = "" }), nil),
		Summary(ended(ledger.Finished, func(v *View) {
			v.Text = "replaced the results of job a in /out/map, which are now in /out/map.previous\nreplaced the results of job a in /out/sum"
		}), nil),
		Summary(ended(ledger.Failed, func(v *View) { v.Text = "stage map failed.\nmore" }), nil),
		Summary(ended(ledger.Failed, nil), &Failure{Stage: "map", Times: 4, Failed: failed}),
		Summary(ended(ledger.Failed, nil), &Failure{Stage: "map", Times: 1, Label: "/in/f137.json", Failed: failed}),
		Summary(ended(ledger.Failed, nil), &Failure{Stage: spec.PublishName, Times: 4, Failed: failed}),
		Summary(ended(ledger.Failed, nil), &Failure{Stage: "map", Times: 4, Failed: &pinned}),
		Summary(ended(ledger.Cancelled, func(v *View) { v.Text = "changed my mind" }), nil),
		Summary(ended(ledger.Cancelled, func(v *View) { v.By = `"ann" (claimed)` }), nil),
		Summary(ended(ledger.Rejected, func(v *View) { v.Text = "its deadline cannot be met" }), nil),
	} {
		text += s + "\n\n"
	}
	golden(t, "summary", text)
}

func TestARejectionNamesTheEarliestSafeDeadline(t *testing.T) {
	text := Summary(ended(ledger.Rejected, func(v *View) { v.Earliest = v.Now.Add(2 * time.Hour) }), nil)
	if !strings.Contains(text, "(in 2h 00m)") || !strings.Contains(text, running().Now.Add(2*time.Hour).Local().Format(time.RFC3339)) {
		t.Error(text)
	}
}

func TestTasksThatDidNotRunAreCounted(t *testing.T) {
	for want, st := range map[string]Stage{
		"\n1 task failed for good and 2 did not run to an end, as": {Tasks: 9, Done: 6, Dead: 1},
		"\n3 tasks failed for good, as":                            {Tasks: 9, Done: 6, Dead: 3},
	} {
		text := Summary(ended(ledger.Finished, func(v *View) { v.Stages = []Stage{st} }), nil)
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %q", want, text)
		}
	}
}
