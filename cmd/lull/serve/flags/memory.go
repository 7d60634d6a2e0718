package flags

import (
	"fmt"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/heap"
	"lull/subjects/spec"
)

// Memory is the flag --memory of services that keep the pool's state in memory.
type Memory struct{ text string }

// Flag adds the flag.
func (m *Memory) Flag(f *pflag.FlagSet) {
	f.StringVar(&m.text, "memory", "", "memory that this process may use, such as 4GB (default a quarter of the memory of the machine or cgroup)")
	help.Process.In(f, "memory")
}

// Bytes returns the flag's value, or the default.
func (m *Memory) Bytes() (uint64, error) {
	if m.text == "" {
		limit, _, err := heap.Default("/")
		return limit, err
	}
	limit, err := spec.ParseSize(m.text)
	if err != nil || uint64(limit) < heap.Least || limit > 1<<60 {
		return 0, exit.With(exit.Usage, fmt.Errorf("--memory %q: use a size such as 4GB, at least %s", m.text, humanize.IBytes(heap.Least)))
	}
	return uint64(limit), nil
}
