package connect

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/prometheus/client_golang/prometheus"
)

// reportEvery is how often a connection's errors of one kind are logged at most.
const reportEvery = time.Minute

// Report counts errors that a connection reports outside the answers to calls, in the metric
// lull_connection_errors_total. It logs them, once a minute for each kind of error. The registerer
// may be nil.
func Report(nc *nats.Conn, log *slog.Logger, to prometheus.Registerer) {
	nc.SetErrorHandler(newReports(nc.Opts.Name, log, to).handle)
}

// reports are what one connection has reported.
type reports struct {
	log     *slog.Logger
	counted *prometheus.CounterVec
	mu      struct {
		sync.Mutex
		of map[string]*reported
	}
}

// reported is one kind of error.
type reported struct {
	next time.Time // it is logged again
	more int       // since it was logged
}

func newReports(connection string, log *slog.Logger, to prometheus.Registerer) *reports {
	r := &reports{log: log, counted: prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "lull", Subsystem: "connection", Name: "errors_total",
		Help:        "Errors that the connection to NATS reported beside the answers to calls, by kind.",
		ConstLabels: prometheus.Labels{"connection": connection},
	}, []string{"kind"})}
	r.mu.of = map[string]*reported{}
	var earlier prometheus.AlreadyRegisteredError
	if to != nil && errors.As(to.Register(r.counted), &earlier) { // by the connection before this one
		r.counted, _ = earlier.ExistingCollector.(*prometheus.CounterVec)
	}
	return r
}

func (r *reports) handle(_ *nats.Conn, sub *nats.Subscription, err error) {
	kind, text := describe(sub, err)
	r.counted.WithLabelValues(kind).Inc()
	if more, due := r.due(kind); due {
		r.log.Warn(text, "error", err, "since_last", more)
	}
}

// due reports whether the error is to be logged, and how many of its kind were not.
func (r *reports) due(kind string) (more int, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.mu.of[kind]
	if one == nil {
		one = &reported{}
		r.mu.of[kind] = one
	}
	now := time.Now()
	if now.Before(one.next) {
		one.more++
		return 0, false
	}
	more, one.more, one.next = one.more, 0, now.Add(reportEvery)
	return more, true
}

func describe(sub *nats.Subscription, err error) (kind, text string) {
	switch {
	case errors.Is(err, nats.ErrSlowConsumer):
		return "slow_consumer", "messages come faster than this process reads them, some were dropped" + on(sub)
	case errors.Is(err, nats.ErrPermissionViolation):
		return "permissions", "the server does not permit what this key tried" + on(sub)
	}
	return "other", "the connection to NATS reports an error" + on(sub)
}

func on(sub *nats.Subscription) string {
	if sub == nil {
		return ""
	}
	return " (subject " + sub.Subject + ")"
}

// quiet is the handler of a connection without a log. A subscriber that was too slow finds
// that out itself.
func quiet(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrSlowConsumer) {
		fmt.Fprintf(os.Stderr, "lull: %v\n", err)
	}
}
