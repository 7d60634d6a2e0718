package service

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"lull/actors"
	"lull/cmd/lull/serve/heap"
	"lull/cmd/lull/serve/observe"
	"lull/hostctl"
	"lull/slotter"
	"lull/subjects"
)

// Shared is the configuration that all services of a process share.
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
	// OneJob means that the process runs one job. Run times of a type that vary too much to predict
	// are then no warning, because most types are those of other jobs.
	OneJob bool
}

// reportAlarm logs what the slotter reports of its models.
func (s *Shared) reportAlarm(a actors.Action) {
	level := slog.LevelWarn
	if s.OneJob {
		level = slog.LevelInfo
	}
	s.Log.Log(context.Background(), level, fmt.Sprint(a), "actor", slotter.Name)
}

// Fill sets the defaults.
func (s *Shared) Fill() {
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

// HostConfig is the configuration of this machine's part in a pool.
type HostConfig struct {
	// Name is the host's token in subjects. Defaults to the machine's name.
	Name string
	hostctl.Options
	// Secrets are the files with the keys by which this process reaches its pool, which tasks may not read.
	Secrets []string
	// Web configures how outputs and logs are served.
	Web WebTLS
	// Primary lists the cgroups of the primary, as absolute paths or relative to the CPU
	// controller's mount. Defaults to all cgroups but lull's own.
	Primary []string
	// Stdin gives attempts a standard input of this process: see hostctl.Config.
	Stdin func(name string, attempt uint64) (path string, err error)
	// Hurry makes an agent that leaves kill its tasks: see hostctl.Config.
	Hurry <-chan struct{}
	// Root is the folder that holds proc and sys. Defaults to "/". Tests give several hosts of one
	// machine trees of their own.
	Root string
}

// Fill sets the default name.
func (h *HostConfig) Fill() {
	if h.Name == "" {
		name, _ := os.Hostname()
		h.Name = subjects.Token(name)
	}
}
