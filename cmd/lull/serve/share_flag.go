package serve

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"lull/slotter"
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
	bytes, err := humanize.ParseBytes(strings.TrimSuffix(word, "/s"))
	if err != nil || bytes == 0 || bytes > 1e12 {
		return fmt.Errorf("%q is no rate: write it as 200MB/s, at most 1TB/s", word)
	}
	*r.to = float64(bytes)
	return nil
}

// shareFlags are those of how queues share the pool.
func shareFlags(f *pflag.FlagSet, cfg *slotter.Config) {
	choose(f, &cfg.Pace, "pace", "whether jobs that compete are held to their share of what the pool reads: when a queue has a weight, always, or never",
		slotter.PaceAuto, slotter.PaceOn, slotter.PaceOff)
	f.Var(byteRate{&cfg.Capacity}, "capacity", "what the pool's tasks can read in all, such as 400MB/s (what its idle cores read, type by type)")
	f.Float64Var(&cfg.Borrow, "borrow", 0.5, "part of the other queues' shares that a queue may take for deadlines at risk; -1 for none")
}
