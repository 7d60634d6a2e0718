package flags

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"lull/cmd/lull/help"
	"lull/slotter"
	"lull/subjects/spec"
)

// byteRate is a flag for bytes per second.
type byteRate struct{ to *float64 }

var _ pflag.Value = byteRate{}

func (r byteRate) String() string {
	if r.to == nil || *r.to <= 0 {
		return ""
	}
	return humanize.Bytes(uint64(*r.to)) + "/s"
}

func (byteRate) Type() string { return "rate" }

// Set reads 100MB/s.
func (r byteRate) Set(word string) error {
	bytes, err := spec.ParseSize(strings.TrimSuffix(word, "/s"))
	if err != nil || bytes == 0 || bytes > 1e12 {
		return fmt.Errorf("%q is not a rate: write it as 200MB/s, at most 1TB/s", word)
	}
	*r.to = float64(bytes)
	return nil
}

// part is a flag for a part of a whole; below 0 stands for none.
type part struct{ to *float64 }

var _ pflag.Value = part{}

func (p part) String() string {
	if p.to == nil {
		return ""
	}
	return strconv.FormatFloat(*p.to, 'g', -1, 64)
}

func (part) Type() string { return "float" }

// Set reads 0.5. It turns 0 into -1, because a 0 stands for the default.
func (p part) Set(word string) error {
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x <= 1) || math.IsInf(x, -1) {
		return fmt.Errorf("%q is not a fraction: write it as 0.5, at most 1, or -1 for none", word)
	}
	if *p.to = x; math.Abs(x) < 1e-9 {
		*p.to = -1
	}
	return nil
}

// respite is a flag for a time of at least a second, because the slotter does not look more often.
type respite struct{ to *time.Duration }

var _ pflag.Value = respite{}

func (p respite) String() string {
	if p.to == nil || *p.to == 0 {
		return ""
	}
	return p.to.String()
}

func (respite) Type() string { return "duration" }

// Set reads 10s.
func (p respite) Set(word string) error {
	d, err := time.ParseDuration(word)
	if err != nil || d < time.Second {
		return fmt.Errorf("%q is not a duration of at least 1s: write it as 10s", word)
	}
	*p.to = d
	return nil
}

// Queues adds the flags that say how queues share the pool.
func Queues(f *pflag.FlagSet, cfg *slotter.Config) {
	Choose(f, &cfg.Pace, "pace", "limit jobs that compete to their shares of what the pool can read: once a queue has a weight (auto), always (on), never (off)",
		slotter.PaceAuto, slotter.PaceOn, slotter.PaceOff)
	f.Var(byteRate{&cfg.Capacity}, "capacity", "bytes/s that all tasks of the pool together can read, such as 400MB/s (default estimated from the idle cores)")
	cfg.Borrow = 0.5
	f.Var(part{&cfg.Borrow}, "borrow", "fraction of other queues' shares that a queue may take for a deadline at risk; -1 for none")
	Choose(f, &cfg.Preempt, "preempt", "what happens to tasks of a queue that is beyond its share when another needs its own, or a deadline is at risk: slow them (throttle), also end some to free slots (kill), nothing (none)",
		slotter.PreemptThrottle, slotter.PreemptKill, slotter.PreemptNone)
	cfg.PreemptAfter = 10 * time.Second
	f.Var(respite{&cfg.PreemptAfter}, "preempt-after", "how long a task waits before --preempt kill ends one of a queue that is beyond its share")
	help.Scheduling.In(f, "pace", "capacity", "borrow", "preempt", "preempt-after")
}
