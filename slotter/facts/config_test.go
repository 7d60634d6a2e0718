package facts

import (
	"strings"
	"testing"
)

// The error for a wrong value names every value that may be given instead.
func TestAWrongValueIsAnsweredWithTheChoices(t *testing.T) {
	for _, wrong := range []struct {
		set     func(*Config)
		choices []string
	}{
		{func(c *Config) { c.Policy = "lifo" }, Policies()},
		{func(c *Config) { c.Models = "lifo" }, []string{ModelsOnline, ModelsFixed}},
		{func(c *Config) { c.Pace = "lifo" }, []string{PaceAuto, PaceOn, PaceOff}},
		{func(c *Config) { c.Preempt = "lifo" }, []string{PreemptThrottle, PreemptKill, PreemptNone}},
		{func(c *Config) { c.Steer = "lifo" }, []string{SteerProfile, SteerPaper, SteerOff}},
	} {
		var c Config
		wrong.set(&c)
		c.Fill()
		err := c.Validate()
		if err == nil {
			t.Errorf("Validate() with a wrong value of %v = nil, want an error", wrong.choices)
			continue
		}
		for _, choice := range wrong.choices {
			if !strings.Contains(err.Error(), choice) {
				t.Errorf("Validate() = %q, want %q named", err, choice)
			}
		}
	}
}
