package subjects

import "testing"

func TestJobOf(t *testing.T) {
	for want, events := range map[string][]Event{
		"j": {&Admitted{Job: "j"}, &Assigned{Host: "h", Job: "j"}, &OutputLost{Host: "h", Job: "j"}, &OutputMissing{Host: "h", Job: "j"}},
		"":  {&Paused{Host: "h", User: "j"}, &Shared{Queue: "q", User: "j"}, &Joined{Host: "h"}, &Fitted{Type: "t"}, &PoolPaused{}, &Led{Actor: "a", Partition: "p"}},
	} {
		for _, e := range events {
			if got := JobOf(e); got != want {
				t.Errorf("JobOf(%T) = %q, want %q", e, got, want)
			}
		}
	}
}
