package sim

import (
	"testing"
	"time"
)

// TestRejections compares a job that admission rejects with the run in which it is admitted.
func TestRejections(t *testing.T) {
	with := &Result{End: time.Hour, Jobs: []JobResult{
		{Name: "a", State: "rejected", Code: "deadline", Why: "too late", Deadline: time.Minute},
		{Name: "b", State: "rejected", Code: "others", Deadline: time.Minute},
		{Name: "c", State: "finished", Deadline: time.Minute, Ended: time.Minute},
		{Name: "d", State: "finished", Deadline: time.Minute, Ended: 2 * time.Minute},
	}}
	without := &Result{End: time.Hour, Jobs: []JobResult{
		{Name: "a", State: "finished", Deadline: time.Minute, Ended: time.Second},
		{Name: "b", State: "cancelled", Deadline: time.Minute, Ended: time.Second},
		{Name: "c", State: "finished", Deadline: time.Minute, Ended: 2 * time.Minute},
		{Name: "d", State: "finished", Deadline: time.Minute, Ended: 3 * time.Minute},
	}}
	list, spared := Rejections(with, without)
	want := []Rejection{{"a", "deadline", "too late", true}, {"b", "others", "", false}}
	if len(list) != 2 || list[0] != want[0] || list[1] != want[1] || spared != 1 {
		t.Errorf("Rejections() = %+v, %d, want %+v, 1 spared", list, spared, want)
	}
}

// TestWithoutAdmissionNothingIsRejected has one job that no pool of this size ends in time.
func TestWithoutAdmissionNothingIsRejected(t *testing.T) {
	long := work("long", 1)
	long.DeadlineIn, long.Stages[0].Estimate = 10*time.Second, 100*time.Second
	s := Scenario{Hosts: []Host{{Name: "h", Cores: 1}}, Jobs: []Job{{Spec: long, Patience: time.Hour}}}
	with, err := Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	without, err := Run(t.Context(), s.WithoutAdmission())
	if err != nil {
		t.Fatal(err)
	}
	if list, _ := Rejections(with, without); len(list) != 1 || list[0].InTime || list[0].Why == "" {
		t.Errorf("Rejections() = %+v, want one job with a reason, late without admission too", list)
	}
	if state := without.Jobs[0].State; state != "finished" {
		t.Errorf("state of the job without admission = %s, want finished", state)
	}
}
