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
	"lull/hostctl"
	"lull/slotter"
	"lull/slotter/datanode"
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
	hostctl.Options
	// Web configures how outputs and logs are served.
	Web WebTLS
	// Primary are the cgroups of the primary: absolute paths, or below the CPU
	// controller's mount. Defaults to all that is not lull's.
	Primary []string
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
	// DataNodes are those whose capacity is known to the slotter.
	DataNodes []datanode.Config
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
