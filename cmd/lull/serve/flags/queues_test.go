package flags

import (
	"testing"
	"time"

	"github.com/spf13/pflag"

	"lull/slotter"
)

func TestHowQueuesShareIsRead(t *testing.T) {
	var got slotter.Config
	f := pflag.NewFlagSet("test", pflag.ContinueOnError)
	Queues(f, &got)
	if got.Preempt != slotter.PreemptThrottle || got.PreemptAfter != 10*time.Second || got.Pace != slotter.PaceAuto {
		t.Errorf("without flags: %+v, want throttle after 10 s, pace auto", got)
	}
	if err := f.Parse([]string{"--preempt", "kill", "--preempt-after=1m", "--capacity=400MB/s", "--borrow", "-1"}); err != nil {
		t.Fatal(err)
	}
	if got.Preempt != slotter.PreemptKill || got.PreemptAfter != time.Minute || got.Capacity < 399e6 || got.Borrow > -1 {
		t.Errorf("with flags: %+v, want kill after 1 min, 400 MB/s, -1 to borrow", got)
	}
	if err := f.Parse([]string{"--borrow=0"}); err != nil || got.Borrow > -1 {
		t.Errorf("--borrow=0: %v, %v, want -1, as 0 would be the default", got.Borrow, err)
	}
	for _, bad := range [][2]string{
		{"--preempt", "evict"}, {"--preempt-after", "0"}, {"--preempt-after", "-5s"}, {"--preempt-after", "soon"},
		{"--borrow", "2"}, {"--borrow", "NaN"}, {"--borrow", "half"}, {"--capacity", "much"}, {"--pace", "sometimes"},
	} {
		if err := f.Parse(bad[:]); err == nil {
			t.Errorf("Parse(%q) = nil, want an error", bad)
		}
	}
}
