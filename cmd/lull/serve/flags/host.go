package flags

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/service"
	"lull/hostctl/contain"
	"lull/hostctl/spreading"
	"lull/subjects"
)

// Host are the flags of a command that runs tasks on this machine.
type Host struct {
	Config service.HostConfig // as flags give it; Complete returns it whole
	slots  int
	cores  int
	memory string
	file   string
}

// auto lets the host choose a reserve by its capabilities.
const auto = -1

// Flags adds the flags.
func (h *Host) Flags(f *pflag.FlagSet) {
	f.StringVar(&h.Config.Name, "name", "", "this host's name in the pool (the machine's name)")
	f.IntVar(&h.slots, "slots", 0, "single-core tasks that may run at once (one a core)")
	f.IntVar(&h.cores, "reserve-cpu", auto, "cores kept idle beside what the primary uses (-1: as the kernel's protection calls for)")
	f.StringVar(&h.memory, "reserve-memory", "", "memory kept available, such as 2GB or 0 (a tenth of the RAM)")
	f.StringVar(&h.file, "task-file-size", "", "largest file that a task may write, such as 10GB or 0 for any\n(what the data folder's disk holds beside the reserve)")
	f.StringSliceVar(&h.Config.Labels, "labels", nil, "labels that jobs may ask for, k=v,k=v")
	f.StringVar(&h.Config.Tenant, "tenant", "", "tenant that owns this host; lull harm sums harvest and delay up by tenant")
	f.StringSliceVar(&h.Config.Primary, "primary", nil, "cgroups of the primary, which is protected, such as system.slice/nginx.service\n(all cgroups but those of lull)")
	Contain(f, &h.Config)
	guardFlags(f, &h.Config.Options)
	f.StringVar((*string)(&h.Config.Spread), "spread", "auto", "move threads of the primary that wait behind each other to cores where batch work\n"+
		"runs: auto (as root, beside the idle class), on or off")
}

// Contain adds the flags of the containment of tasks.
func Contain(f *pflag.FlagSet, h *service.HostConfig) {
	f.StringVar(&h.Contain, "contain", "full", "full: tasks write to their own folders only, as a user without rights if the agent is root;\n"+
		"basic: as the agent's user, gaining no rights by setuid; off: not even that")
	f.StringVar(&h.TaskUser, "task-user", "", "user that tasks run as if the agent is root: name, uid or uid:gid\n"+
		"(nobody, 65534; root where the user nobody cannot enter the data folder)")
	f.Uint32Var(&h.SlotUIDBase, "slot-uid-base", 0, "uid of slot 0's tasks, the following ones for the other slots, if the agent is root\n"+
		"(0: one task user for all slots)")
	f.StringSliceVar(&h.TaskWrite, "task-write", nil, "folders and files that tasks may write to, beside their own")
}

// Complete checks the flags and returns the configuration. A zero there means "automatic",
// where the zero of a flag means "none".
func (h *Host) Complete() (service.HostConfig, error) {
	host := h.Config
	if host.ReserveCPU = h.cores; h.cores == auto {
		host.ReserveCPU = 0
	} else if h.cores == 0 {
		host.ReserveCPU = -1
	}
	if _, err := contain.ParseMode(host.Contain); err != nil {
		return host, exit.With(exit.Usage, fmt.Errorf("--contain: %w", err))
	}
	if _, err := spreading.ParseMode(string(host.Spread)); err != nil {
		return host, exit.With(exit.Usage, fmt.Errorf("--%w", err))
	}
	if err := completeGuard(&host.Options); err != nil {
		return host, err
	}
	if h.slots < 0 {
		return host, exit.With(exit.Usage, fmt.Errorf("--slots %d: use at least 1", h.slots))
	}
	host.Slots = uint32(h.slots)
	if host.Name != "" {
		if err := subjects.CheckToken("host", host.Name); err != nil {
			return host, exit.With(exit.Usage, fmt.Errorf("--name: %w", err))
		}
	}
	if host.Tenant != "" {
		if err := subjects.CheckToken("tenant", host.Tenant); err != nil {
			return host, exit.With(exit.Usage, fmt.Errorf("--tenant: %w", err))
		}
	}
	for _, label := range host.Labels {
		if key, _, ok := strings.Cut(label, "="); !ok || key == "" {
			return host, exit.With(exit.Usage, fmt.Errorf("--labels %q: use key=value", label))
		}
	}
	var err error
	if host.ReserveMemory, err = size("reserve-memory", h.memory); err != nil {
		return host, err
	}
	if host.FileSize, err = size("task-file-size", h.file); err != nil {
		return host, err
	}
	return host, host.CompleteAddress()
}

// size returns a flag in bytes: 0 if the flag was not given, -1, which means none, if it was 0.
func size(name, flag string) (int64, error) {
	if flag == "" {
		return 0, nil
	}
	bytes, err := humanize.ParseBytes(flag)
	if err != nil || bytes > 1<<62 {
		return 0, exit.With(exit.Usage, fmt.Errorf("--%s %q: use bytes or a size such as 2GB", name, flag))
	}
	if bytes == 0 {
		return -1, nil
	}
	return int64(bytes), nil
}
