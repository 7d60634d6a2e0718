package serve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
)

// hostFlags are the flags of a command that runs tasks on this machine.
type hostFlags struct {
	host   HostConfig
	memory string
}

// flags adds the flags of HostConfig.
func (h *hostFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&h.host.Name, "name", "", "this host's name in the pool (the machine's name)")
	f.IntVar(&h.host.Slots, "slots", 0, "single-core tasks that may run at once (one a core)")
	f.IntVar(&h.host.ReserveCPU, "reserve-cpu", 0, "cores kept idle beside what the primary uses")
	f.StringVar(&h.memory, "reserve-memory", "0", "memory kept available, such as 2GB")
	f.StringSliceVar(&h.host.Labels, "labels", nil, "labels that jobs may ask for, k=v,k=v")
}

func (h *hostFlags) config() (HostConfig, error) {
	bytes, err := humanize.ParseBytes(h.memory)
	if err != nil {
		return h.host, exit.With(exit.Usage, fmt.Errorf("--reserve-memory %q: use bytes or a size such as 2GB", h.memory))
	}
	h.host.ReserveMemory = int64(bytes)
	for _, label := range h.host.Labels {
		if key, _, ok := strings.Cut(label, "="); !ok || key == "" {
			return h.host, exit.With(exit.Usage, fmt.Errorf("--labels %q: use key=value", label))
		}
	}
	slices.Sort(h.host.Labels)
	return h.host, nil
}
