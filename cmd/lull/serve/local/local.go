package local

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream/embedded"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/build"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/service"
)

// ErrTaken means that another process owns the data folder; Attach finds that process.
var ErrTaken = folder.ErrTaken

// Local runs all services of a pool in this process, with an embedded NATS server.
type Local struct {
	cfg      Config
	folder   *folder.Folder
	server   *embedded.Server
	endpoint folder.Endpoint
	gate     gate
	conns    []*nats.Conn

	watchers service.Group // watch the disk and the server
	deciders service.Group // admission, slotter
	agent    service.Group // monitor, host controller

	failed chan error // the first error of a service that ended by itself
	close  sync.Once
	closed chan struct{}
}

// Attach returns the endpoint of the process that owns the data folder; false if there is none. An empty
// data stands for the default folder.
func Attach(data string) (folder.Endpoint, bool) {
	if data == "" {
		data = folder.Default()
	}
	return folder.Find(data)
}

// Start takes the data folder and starts the server and all services. ctx bounds the start only; Close ends
// the services. The error is ErrTaken if another process owns the folder.
func Start(ctx context.Context, cfg Config) (*Local, error) {
	l, err := open(cfg, func(l *Local) error { return l.startServices(ctx) })
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil, exit.With(exit.Interrupted, errors.New("stopped before it was up"))
	}
	return l, err
}

// OpenServer takes the folder and starts the server and its watchers, but no services.
func OpenServer(cfg Config) (*Local, error) {
	return open(cfg, func(*Local) error { return nil })
}

// open takes the folder, starts the server and calls beside, which starts the services. It writes the
// endpoint last, so that a process that finds the endpoint can use all services.
func open(cfg Config, beside func(*Local) error) (*Local, error) {
	cfg.fill()
	taken, err := take(cfg)
	if err != nil {
		return nil, err
	}
	if !cfg.OneJob {
		taken.AdoptRuns(string(cfg.Pool))
	}
	l := &Local{cfg: cfg, folder: taken, failed: make(chan error, 1), closed: make(chan struct{})}
	err = l.startServer()
	if err == nil {
		err = beside(l)
	}
	if err == nil {
		err = l.folder.Announce(l.endpoint)
	}
	if err != nil {
		return nil, errors.Join(l.orFull(err), l.Close())
	}
	return l, nil
}

// startServer starts the server and the services that watch its disk and its health.
func (l *Local) startServer() (err error) {
	l.endpoint = folder.Endpoint{
		Token: l.cfg.Token, Pool: string(l.cfg.Pool), PID: os.Getpid(), Version: build.This().Version,
	}
	l.server, err = startServer(l.folder, l.cfg.Listen, l.endpoint.Token, l.cfg.Log)
	if err != nil {
		return err
	}
	l.endpoint.URL = l.server.URL()
	l.watchers.Start(l.report, l.diskWatch(), l.serverGuard())
	return nil
}

// Endpoint returns the address and token by which other processes reach this one.
func (l *Local) Endpoint() folder.Endpoint { return l.endpoint }

// CloseToGuests reports whether no other process uses these services (folder.Visit). From then on none can
// begin to.
func (l *Local) CloseToGuests() bool { return l.folder.CloseToGuests() }

// OpenToGuests undoes CloseToGuests.
func (l *Local) OpenToGuests() error { return l.folder.OpenToGuests() }

// Conn connects to the embedded server through a pipe. The caller closes the connection.
func (l *Local) Conn(name string) (*nats.Conn, error) { return l.server.Conn(name) }

// Healthy returns an error for each service that is not healthy, none if all are.
func (l *Local) Healthy() []error {
	wrong := append(l.deciders.Unhealthy(), l.agent.Unhealthy()...)
	return append(wrong, l.watchers.Unhealthy()...)
}

// Wait waits until a service ends by itself and returns its error, or nil after Close.
func (l *Local) Wait() error {
	select {
	case err := <-l.failed:
		return err
	case <-l.closed:
		return nil
	}
}

func (l *Local) report(err error) {
	select {
	case l.failed <- err:
	default:
	}
}

// Close first stops the agent, which ends its tasks and publishes that it left. It then stops admission and
// the slotter, the watchers, and last the server. It waits for each of them.
func (l *Local) Close() (err error) {
	l.close.Do(func() {
		close(l.closed)
		err = errors.Join(l.agent.Stop(), l.deciders.Stop(), l.watchers.Stop())
		for _, conn := range l.conns {
			conn.Close()
		}
		if l.server != nil {
			err = errors.Join(err, l.server.Shutdown())
		}
		err = errors.Join(err, l.folder.Close())
	})
	return err
}
