package flags

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/build"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/observe"
	"lull/cmd/lull/serve/service"
	"lull/subjects"
)

// Common are the flags of every command that runs services.
type Common struct {
	pool  string
	level string
	json  bool
	http  string
}

// Flags adds the flags.
func (c *Common) Flags(f *pflag.FlagSet) {
	f.StringVar(&c.pool, "pool", string(subjects.DefaultPool), "pool of hosts to work for")
	f.StringVar(&c.level, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&c.json, "log-json", false, "write the log as JSON lines")
	f.StringVar(&c.http, "http", "", "serve /metrics and /healthz at this address, such as 127.0.0.1:9100 (default off)")
	help.Process.In(f, "log-level", "log-json", "http")
}

// lastTraces bounds how long a process that ends waits for a collector.
const lastTraces = 5 * time.Second

// Begin makes what all services of the process share. The returned function sends the last
// traces.
func (c *Common) Begin(ctx context.Context, name string, stderr io.Writer) (service.Shared, func(), error) {
	folder.SetUmask()
	pool, err := subjects.ParsePool(c.pool)
	if err != nil {
		return service.Shared{}, nil, exit.With(exit.Usage, err)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.level)); err != nil {
		return service.Shared{}, nil, exit.With(exit.Usage, fmt.Errorf("--log-level %q: use debug, info, warn or error", c.level))
	}
	log := observe.Log{Level: level, JSON: c.json}.Logger(stderr)
	traces, end, err := observe.Tracing(ctx, "lull-"+name, build.This().Version)
	if err != nil {
		return service.Shared{}, nil, err
	}
	done := func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTraces)
		defer cancel()
		if err := end(ctx); err != nil {
			log.Warn("the last traces were not sent", "error", err)
		}
	}
	return service.Shared{Pool: pool, Log: log, Registry: observe.NewRegistry(), Traces: traces}, done, nil
}

// ServeHTTP serves metrics and health if --http asks for it.
func (c *Common) ServeHTTP(shared service.Shared, healthy func() []error) (stop func(), err error) {
	if c.http == "" {
		return func() {}, nil
	}
	addr, stop, err := observe.Serve(c.http, observe.Handler(shared.Registry, healthy))
	if err == nil {
		shared.Log.Info("metrics on http://" + addr + "/metrics")
	}
	return stop, err
}

// NoArgs refuses arguments with a usage error.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return exit.With(exit.Usage, fmt.Errorf("`%[1]s` takes no arguments, and %[2]q is one; see `%[1]s --help`", cmd.CommandPath(), args[0]))
}
