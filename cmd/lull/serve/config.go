package serve

import (
	"crypto/rand"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/heap"
	"lull/cmd/lull/serve/observe"
	"lull/slotter"
	"lull/subjects"
)

// Shared is what every service of a process needs to know.
type Shared struct {
	// Pool defaults to subjects.DefaultPool.
	Pool subjects.Pool
	// Log defaults to one that discards.
	Log *slog.Logger
	// Registry takes the metrics. Defaults to a new one.
	Registry *prometheus.Registry
	// Memory is the memory within which new work is accepted, nil for no limit. See
	// Hold.
	Memory *heap.Heap
	// Traces makes tracers. Defaults to one that does nothing.
	Traces trace.TracerProvider
}

func (s *Shared) fill() {
	if s.Pool == "" {
		s.Pool = subjects.DefaultPool
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Registry == nil {
		s.Registry = observe.NewRegistry()
	}
	if s.Traces == nil {
		s.Traces = noop.NewTracerProvider()
	}
}

// HostConfig says how this machine takes part.
type HostConfig struct {
	// Name is the host's token in subjects. Defaults to the machine's name.
	Name string
	// Slots is how many single-core tasks may run at once. 0: one a core.
	Slots int
	// ReserveCPU is the number of cores kept idle beside what the primary
	// uses. 0: what the host's capabilities call for; negative: none.
	ReserveCPU int
	// ReserveMemory is the bytes of memory kept available. 0: a tenth of the
	// RAM; negative: none.
	ReserveMemory int64
	// Labels are key=value pairs that jobs may ask for.
	Labels []string
	// Advertise is host:port, or a URL, where other hosts fetch outputs from
	// this one. Defaults to "": this machine alone.
	Advertise string
	// Listen is where Advertise leads to. Defaults to Advertise's port on
	// every address, or to a free port of loopback without Advertise.
	Listen string
	// Web configures how outputs and logs are served.
	Web WebTLS
	// Contain is how tasks are contained: "full", the default, "basic" or "off".
	Contain string
	// TaskUser is who tasks run as if the agent is root: a name, a uid or
	// uid:gid. Defaults to nobody, or root where nobody cannot enter the data folder.
	TaskUser string
	// SlotUIDBase, if it is not 0, is the uid of slot 0's tasks; slot n's have the n-th
	// one after it. It needs an agent that is root.
	SlotUIDBase uint32
	// FileSize is how large a file a task may write, in bytes. 0: what the disk of the data
	// folder holds beside the reserve; negative: any size.
	FileSize int64
	// TaskWrite are paths that tasks may write to, beside their own folders.
	TaskWrite []string
	// Tenant is whose the primary is, for the ledger of harm. Defaults to nobody.
	Tenant string
	// Primary are the cgroups of the primary: absolute paths, or below the CPU
	// controller's mount. Defaults to all that is not lull's.
	Primary []string
	// Guard is how the primary is guarded.
	Guard GuardConfig
	// Spread is whether threads of the primary that wait behind each other are
	// moved to where batch work runs: "auto", the default, "on" or "off".
	Spread string
	// Stay leaves tasks running when the agent stops, for the next to adopt.
	Stay bool
}

func (h *HostConfig) fill() {
	if h.Name == "" {
		name, _ := os.Hostname()
		h.Name = subjects.Token(name)
	}
}

// LocalConfig says how all services run in one process.
type LocalConfig struct {
	Shared
	Host HostConfig
	// Data is the data folder. Defaults to folder.Default.
	Data string
	// Listen is where the embedded server listens. Defaults to loopback with
	// a free port.
	Listen string
	// Token is what clients must show. Defaults to a random one.
	Token string
	// Policy is the slotter's: "fifo", "edf", "mp" or "mp+", the default.
	Policy string
	// Sources are the data nodes whose capacity is known to the slotter.
	Sources []slotter.Source
	// Slotter says how queues share the pool: its Pace, Capacity, Borrow and Preempt.
	Slotter slotter.Config
	// AdmissionMode is which deadlines admission checks: "affected", the
	// default, "eq7" or "all", which checks none.
	AdmissionMode string
	// Floor is the free space on Data's volume, in bytes, below which nothing
	// is written. Defaults to room.DefaultFloor.
	Floor int64
}

func (c *LocalConfig) fill() {
	c.Shared.fill()
	c.Host.fill()
	if c.Data == "" {
		c.Data = folder.Default()
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if c.Token == "" {
		c.Token = rand.Text()
	}
}
