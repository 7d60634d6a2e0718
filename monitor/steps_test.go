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
		t.Fatal("nothing was handed over")
	}
	last := got[len(got)-1]
	if last.Cores != 2 || last.Memory != 8000<<10 || last.Sample.Memory != 625 || last.Sample.Mean != 0 || last.Sample.Seconds == 0 {
		t.Errorf("got %+v", last)
	}
}
