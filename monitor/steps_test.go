package monitor

import (
	"context"
	"testing"
	"time"

	"lull/monitor/record"
	"lull/subjects"
)

// The monitor hands over what it saw of a step when it ends.
func TestTheLastStepIsHandedOver(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	samples, got := 0, []record.Sample{}
	m, err := New(Config{
		Host: "h", Root: tree(t, host), Every: 20 * time.Millisecond,
		Publish: func(subjects.Usage) {
			if samples++; samples == 60 {
				stop()
			}
		},
		Record: func(s record.Sample) { got = append(got, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 {
		t.Fatal("steps handed over = 0, want at least 1")
	}
	last := got[len(got)-1]
	if last.Cores != 2 || last.Memory != 8000<<10 || last.Sample.Memory != 625 || last.Sample.Mean != 0 || last.Sample.Seconds == 0 {
		t.Errorf("last step = %+v, want 2 cores, 8000 KiB, 625 of memory and none of CPU", last)
	}
}
