package flags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/service"
	"lull/hostctl"
	"lull/hostctl/contain"
	"lull/hostctl/environ"
	"lull/hostctl/spreading"
	"lull/subjects"
	"lull/subjects/spec"
)

// Host are the flags of a command that runs tasks on this machine.
type Host struct {
	Config service.HostConfig // as flags give it; Complete returns it whole
	slots  int
	cores  int
	memory string
	file   string
	logs   string
}

// auto means that the host chooses a reserve by its capabilities.
const auto = -1

// Flags adds the flags.
func (h *Host) Flags(f *pflag.FlagSet) {
	f.StringVar(&h.Config.Name, "name", "", "name of this host in the pool (default the machine's name)")
	f.IntVar(&h.slots, "slots", 0, "single-core tasks that may run at once (default one a core)")
	f.IntVar(&h.cores, "reserve-cpu", auto, "cores that tasks never use, beyond what the primary uses (-1: as few as the kernel's protection allows)")
	f.StringVar(&h.memory, "reserve-memory", "", "memory that tasks leave free, such as 2GB or 0 (default a tenth of the RAM)")
	f.StringVar(&h.file, "task-file-size", "", "largest file that a task may write, such as 10GB, or 0 for any (default what fits on the data folder's disk)")
	f.StringVar(&h.logs, "task-log-size", "", "most that is kept of a task's standard output, and of its standard error, such as 100MB, or 0 for all (default 1GB)")
	f.StringSliceVar(&h.Config.Labels, "labels", nil, "labels that jobs may ask for, such as gpu=yes,zone=a")
	f.StringVar(&h.Config.Tenant, "tenant", "", "owner of this host; a list of lull tenants set counts instead")
	f.StringSliceVar(&h.Config.Primary, "primary", nil, "cgroups of the primary, which is protected, such as system.slice/nginx.service (default all but those of lull)")
	Contain(f, &h.Config)
	f.StringVar(&h.Config.TaskPath, "task-path", environ.DefaultPath, "PATH of tasks, unless their stage's env sets one; give all hosts of a pool the same")
	help.Containment.In(f, "task-file-size", "task-log-size", "task-path")
	transferFlags(f, &h.Config.Options)
	guardFlags(f, &h.Config.Options)
	f.DurationVar(&h.Config.EvictionGrace, "eviction-grace", hostctl.DefaultEvictionGrace, "most time between SIGTERM and SIGKILL of a task that this host evicts, whatever grace its document asks for; 0 kills it at once")
	f.StringVar((*string)(&h.Config.Spread), "spread", "auto", "move threads of the primary that wait behind each other to cores where tasks run: auto (as root, with the idle class), on or off")
	help.Host.In(f, "name", "labels", "tenant")
	help.Protection.In(f, "eviction-grace", "spread")
}

// Contain adds the flags of the containment of tasks.
func Contain(f *pflag.FlagSet, h *service.HostConfig) {
	f.StringVar(&h.Contain, "contain", "full", "full: tasks write to their own folders only, and not as root; basic: tasks run as the agent's user and cannot gain rights by setuid; off: no limits")
	f.StringVar(&h.TaskUser, "task-user", "", "user that all tasks run as if the agent is root: name, uid or uid:gid (default one for each task that may run at once, and nobody to publish results)")
	f.Uint32Var(&h.SlotUIDBase, "slot-uid-base", 0, "if the agent is root: the first uid of tasks, one for each task that may run at once: ten times --slots, since tasks of parts of a core share slots (0: chosen above 2100000000, or --task-user for all if it is given)")
	f.StringSliceVar(&h.TaskWrite, "task-write", nil, "folders and files that tasks may write to besides their own")
	help.Containment.In(f, "contain", "task-user", "slot-uid-base", "task-write")
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
	if err := environ.CheckPath(host.TaskPath); err != nil {
		return host, exit.With(exit.Usage, fmt.Errorf("--task-path: %w", err))
	}
	if _, err := spreading.ParseMode(string(host.Spread)); err != nil {
		return host, exit.With(exit.Usage, fmt.Errorf("--%w", err))
	}
	if err := errors.Join(completeGuard(&host.Options), checkTransfers(&host.Options)); err != nil {
		return host, err
	}
	if host.EvictionGrace <= 0 {
		host.EvictionGrace = -1
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
		if err := subjects.CheckTenant(host.Tenant); err != nil {
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
	if host.LogBytes, err = size("task-log-size", h.logs); err != nil {
		return host, err
	}
	return host, host.CompleteAddress()
}

// size returns a flag in bytes: 0 if the flag was not given, -1, which means none, if it was 0.
func size(name, flag string) (int64, error) {
	if flag == "" {
		return 0, nil
	}
	bytes, err := spec.ParseSize(flag)
	if err != nil || bytes > 1<<62 {
		return 0, exit.With(exit.Usage, fmt.Errorf("--%s %q: use bytes or a size such as 2GB", name, flag))
	}
	if bytes == 0 {
		return -1, nil
	}
	return bytes, nil
}
