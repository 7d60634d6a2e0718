package serve

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream/embedded"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/folder"
)

// ErrTaken says that another process has the data folder: use Attach.
var ErrTaken = folder.ErrTaken

// Local is every service of a pool in this process, with an embedded server.
type Local struct {
	cfg      LocalConfig
	folder   *folder.Folder
	server   *embedded.Server
	endpoint folder.Endpoint
	gate     gate
	conns    []*nats.Conn

	watch    group // of the disk and the server
	deciders group // admission, slotter
	agent    group // monitor, host controller

	failed chan error // what ended by itself, one is enough
	close  sync.Once
	closed chan struct{}
}

// Attach finds the lull that owns a data folder, "" for the default one.
func Attach(data string) (folder.Endpoint, bool) {
	if data == "" {
		data = folder.Default()
	}
	return folder.Find(data)
}

// Start takes the data folder and starts everything. ctx bounds the start, not
// the life: that is Close. The error is ErrTaken if another process has the
// folder.
func Start(ctx context.Context, cfg LocalConfig) (*Local, error) {
	l, err := open(cfg, func(l *Local) error { return l.startServices(ctx) })
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil, exit.With(exit.Interrupted, errors.New("stopped before it was up"))
	}
	return l, err
}

// open takes the folder and starts the server, then what runs beside it. The
// endpoint comes last: whoever finds it finds all of it.
func open(cfg LocalConfig, beside func(*Local) error) (*Local, error) {
	cfg.fill()
	taken, err := folder.Take(cfg.Data)
	if err != nil {
		return nil, err
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

// startServer starts the server, and what watches its disk.
func (l *Local) startServer() (err error) {
	l.endpoint = folder.Endpoint{
		Token: l.cfg.Token, Pool: string(l.cfg.Pool), PID: os.Getpid(), Version: ThisBuild().Version,
	}
	l.server, err = startServer(l.folder, l.cfg.Listen, l.endpoint.Token, l.cfg.Log)
	if err != nil {
		return err
	}
	l.endpoint.URL = l.server.URL()
	l.watch.start(l.report, l.diskWatch(), l.serverGuard())
	return nil
}

// Endpoint is how other processes reach this one.
func (l *Local) Endpoint() folder.Endpoint { return l.endpoint }

// Conn connects to the embedded server by a pipe. The caller closes it.
func (l *Local) Conn(name string) (*nats.Conn, error) { return l.server.Conn(name) }

// Healthy returns all that is wrong.
func (l *Local) Healthy() []error {
	wrong := append(l.deciders.healthy(), l.agent.healthy()...)
	return append(wrong, l.watch.healthy()...)
}

// Wait returns when a service ended by itself, with what it said, or nil after
// Close.
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

// Close stops in order: the agent ends its tasks and says that it left, while
// the services still listen; then the services that decide; then the server. It waits.
func (l *Local) Close() (err error) {
	l.close.Do(func() {
		close(l.closed)
		err = errors.Join(l.agent.stop(), l.deciders.stop(), l.watch.stop())
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
