package embedded

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors/jetstream/connect"
	"lull/actors/jetstream/integrity"
	"lull/subjects"
)

// startWithin bounds the wait for the server.
const startWithin = 30 * time.Second

// Server is the embedded server. It can be restarted while its connections
// stay: they reconnect to the new one.
type Server struct {
	cfg    Config
	lock   *os.File
	staged []string // staging folders in memory, which sweep removes
	mu     struct {
		sync.Mutex
		running *server.Server
		listen  string // as first bound, so that a restart keeps the port
		marker  *marker
		unmark  func() // stops keepMark and waits for it
	}
}

// Start starts a server on the folder cfg.Dir. It returns ErrLocked if another
// server uses the folder.
func Start(cfg Config) (*Server, error) {
	if cfg.Dir == "" {
		return nil, errors.New("embedded server: Dir is missing")
	}
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = 64 << 20
	}
	if len(cfg.Pools) == 0 {
		cfg.Pools = []subjects.Pool{subjects.DefaultPool}
	}
	lock, err := lockFolder(cfg.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, lock: lock}
	s.mu.listen = cfg.Listen
	if err := s.start(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return s, nil
}

func (s *Server) store() string { return filepath.Join(s.cfg.Dir, "nats") }

// start needs no lock: no caller has s yet, or Restart holds it.
func (s *Server) start() error {
	for _, pool := range s.cfg.Pools {
		if dir := orphan(stagingLink(s.store(), pool)); dir != "" {
			s.staged = append(s.staged, dir)
		}
	}
	if err := s.check(); err != nil {
		return err
	}
	if err := s.boot(); err != nil {
		return err
	}
	s.sweep()
	for _, pool := range s.cfg.Pools {
		if err := s.stage(pool); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes the staging folders in memory of servers that no longer run.
func (s *Server) sweep() {
	for _, dir := range s.staged {
		_ = os.RemoveAll(dir) // a failure only wastes memory
	}
	s.staged = nil
}

func (s *Server) boot() error {
	options, err := s.options()
	if err != nil {
		return err
	}
	running, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("embedded server: %w", err)
	}
	if s.cfg.Logger != nil {
		running.SetLoggerV2(s.cfg.Logger, false, false, false)
	}
	running.Start()
	if !running.ReadyForConnections(startWithin) {
		running.Shutdown()
		running.WaitForShutdown()
		return fmt.Errorf("embedded server: not ready within %v; is %s a healthy disk?", startWithin, s.cfg.Dir)
	}
	if addr := running.Addr(); addr != nil && s.cfg.Listen != "" {
		s.mu.listen = addr.String()
	}
	if err := s.recovered(running); err != nil {
		running.Shutdown()
		running.WaitForShutdown()
		return err
	}
	s.mu.running, s.mu.marker = running, s.newMarker()
	s.mu.unmark = background(func(ctx context.Context) { s.keepMark(ctx, running, s.mu.marker) })
	return nil
}

// background starts run. end cancels its context and waits until it returns.
func background(run func(context.Context)) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); run(ctx) }()
	return func() { cancel(); <-ended }
}

// URL is where others connect, "" without Listen.
func (s *Server) URL() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cfg.Listen == "" {
		return ""
	}
	return "nats://" + s.mu.listen
}

// Conn connects within the process, by a pipe. The connection follows a
// restart of the server, for as long as it takes.
func (s *Server) Conn(name string, options ...nats.Option) (*nats.Conn, error) {
	options = append(connect.Options(name), append(options, nats.InProcessServer(s), nats.Token(s.cfg.Token))...)
	nc, err := nats.Connect("", options...)
	if err != nil {
		return nil, fmt.Errorf("connect %s to the embedded server: %w", name, err)
	}
	return nc, nil
}

// InProcessConn opens a pipe to whichever server runs now.
func (s *Server) InProcessConn() (net.Conn, error) {
	s.mu.Lock()
	running := s.mu.running
	s.mu.Unlock()
	if running == nil {
		return nil, errors.New("the embedded server is not running")
	}
	return running.InProcessConn()
}

// Restart stops the server and starts it on the same folder and port. After an
// I/O error a stream accepts no messages until the server is restarted.
func (s *Server) Restart() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	return s.start()
}

// stop needs mu.
func (s *Server) stop() {
	if s.mu.running == nil {
		return
	}
	s.mu.unmark()
	s.mu.running.Shutdown()
	s.mu.running.WaitForShutdown()
	s.mu.running = nil
	if m, err := integrity.Stopped(s.streams(), s.mu.marker.known); err == nil {
		_ = m.Save(s.markPath(), true) // without a mark the next check detects less damage, but works
	}
}

// Shutdown stops the server, waits until it has stopped, and unlocks the folder.
func (s *Server) Shutdown() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
	s.sweep()
	if s.lock == nil {
		return nil
	}
	err := s.lock.Close()
	s.lock = nil
	return err
}
