package serve

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/pflag"

	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/observe"
	"lull/subjects"
)

// common are the flags of every command that runs services.
type common struct {
	pool  string
	level string
	json  bool
	http  string
}

func (c *common) flags(f *pflag.FlagSet) {
	f.StringVar(&c.pool, "pool", string(subjects.DefaultPool), "pool of hosts to work for")
	f.StringVar(&c.level, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&c.json, "log-json", false, "log lines as JSON")
	f.StringVar(&c.http, "http", "", "address for /metrics and /healthz, such as 127.0.0.1:9100 (off)")
}

// begin makes what all services of the process share. The returned function
// hands in the last traces.
func (c *common) begin(ctx context.Context, name string, stderr io.Writer) (Shared, func(), error) {
	pool, err := subjects.ParsePool(c.pool)
	if err != nil {
		return Shared{}, nil, exit.With(exit.Usage, err)
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.level)); err != nil {
		return Shared{}, nil, exit.With(exit.Usage, fmt.Errorf("--log-level %q: use debug, info, warn or error", c.level))
	}
	log := observe.Log{Level: level, JSON: c.json}.Logger(stderr)
	traces, end, err := observe.Tracing(ctx, "lull-"+name, ThisBuild().Version)
	if err != nil {
		return Shared{}, nil, err
	}
	done := func() {
		if err := end(context.WithoutCancel(ctx)); err != nil {
			log.Warn("the last traces were not handed in", "error", err)
		}
	}
	return Shared{Pool: pool, Log: log, Registry: observe.NewRegistry(), Traces: traces}, done, nil
}

// answerHTTP serves metrics and health if --http asks for it.
func (c *common) answerHTTP(shared Shared, healthy func() []error) (stop func(), err error) {
	if c.http == "" {
		return func() {}, nil
	}
	addr, stop, err := observe.Serve(c.http, observe.Handler(shared.Registry, healthy))
	if err == nil {
		shared.Log.Info("metrics on http://" + addr + "/metrics")
	}
	return stop, err
}
