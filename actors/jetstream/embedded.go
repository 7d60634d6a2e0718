package jetstream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream/integrity"
	"lull/subjects"
)

// EmbeddedConfig says how the server inside this process runs.
type EmbeddedConfig struct {
	// Dir is the store folder; one server at a time may have it. Required.
	Dir string
	// Listen is host:port for others; port 0 takes a free one. Defaults to
	// "": this process alone.
	Listen string
	// Token is what clients over Listen must show. Defaults to "": anybody.
	Token string
	// Pools are those whose logs live here. Defaults to subjects.DefaultPool.
	Pools []subjects.Pool
	// SyncAlways makes every acknowledgement wait for an fsync, so that it
	// outlives a power cut. Without it up to two minutes are lost.
	SyncAlways bool
	// MaxStore bounds the bytes of the store. Defaults to 0: three quarters
	// of the disk's free space when it starts.
	MaxStore int64
	// MaxMemory bounds the bytes of what is kept in memory: leases. Defaults
	// to 64 MB.
	MaxMemory int64
	// Logger takes the server's log. Defaults to none.
	Logger server.Logger

	// Tell receives what was found damaged in the store and repaired. Defaults to
	// nothing.
	Tell func(text string)
	// Repair starts the server even if the store has lost entries; otherwise Start
	// fails with an *integrity.LossError. Again runs the inbox's old jobs again when
	// the whole log is lost.
	Repair, Again bool
	// Remedy is the command that repairs, for the error's text.
	Remedy string
	// Seen are log entries known from elsewhere, by stream: see integrity.Config.
	Seen map[string]integrity.Entry
}

// ahead is the limit of messages that wait for a stream to store them. Each message
// published alone costs an fsync, and a service's batch waits behind all of them:
// with the server's default of 10,000 that took 15 s (measured). The largest batch has
// to fit. The server answers further messages with 429, and their writers send again.
const ahead = actors.MaxBatch + 24

// startWithin and stopWithin bound waiting for the server.
const startWithin = 30 * time.Second

// Server is the embedded server. It can be restarted while its connections
// stay: they reconnect to the new one.
type Server struct {
	cfg    EmbeddedConfig
	lock   *os.File
	staged []string // folders in memory, to be removed
	mu     struct {
		sync.Mutex
		running *server.Server
		listen  string // as first bound, so that a restart keeps the port
		marker  *marker
		unmark  func() // stops keepMark and waits for it
	}
}

// Start runs a server on the folder. A folder that another server has is an
// error that says so: ErrLocked.
func Start(cfg EmbeddedConfig) (*Server, error) {
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

// start needs no lock: nobody has s yet, or Restart holds it.
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

// sweep removes the staging in memory of servers that are gone.
func (s *Server) sweep() {
	for _, dir := range s.staged {
		_ = os.RemoveAll(dir) // memory of our own; nothing to be done about it
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

func (s *Server) options() (*server.Options, error) {
	options := &server.Options{
		ServerName: "lull", NoSigs: true, NoLog: s.cfg.Logger == nil,
		JetStream: true, StoreDir: s.store(), SyncAlways: s.cfg.SyncAlways,
		JetStreamMaxStore: s.cfg.MaxStore, JetStreamMaxMemory: s.cfg.MaxMemory,
		JetStreamLimits:       server.JSLimitOpts{DefaultMaxConsumers: -1},
		StreamMaxBufferedMsgs: ahead,
		Authorization:         s.cfg.Token, MaxPayload: 1 << 20, NoSystemAccount: false,
		DontListen: s.mu.listen == "",
	}
	if options.DontListen {
		return options, nil
	}
	return options, listenOn(options, s.mu.listen)
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
	options = append(clientOptions(name), append(options, nats.InProcessServer(s), nats.Token(s.cfg.Token))...)
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

// Restart stops the server and starts it on the same folder and port. A
// stream that met an I/O error accepts nothing until this.
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
		_ = m.Save(s.markPath(), true) // without a mark the next check finds less, and fails nowhere
	}
}

// Healthz asks the server for its health: JetStream and every stream of it.
func (s *Server) Healthz() error {
	s.mu.Lock()
	running := s.mu.running
	s.mu.Unlock()
	if running == nil {
		return errors.New("the embedded server is not running")
	}
	status := running.Healthz(&server.HealthzOptions{Details: true})
	if status.StatusCode == http.StatusOK {
		return nil
	}
	errs := slices.DeleteFunc(status.Errors, s.unmade)
	if len(errs) == 0 && status.Error == "" {
		return nil
	}
	err := fmt.Errorf("the embedded server is not healthy: %s", status.Error)
	for _, detail := range errs {
		err = fmt.Errorf("%w; %s", err, detail.Error)
	}
	return err
}

// unmade reports whether an error is about a stream that nobody has made yet. The server
// takes a folder with the staging of its batches alone for a stream that is lost.
func (s *Server) unmade(e server.HealthzError) bool {
	if e.Type != server.HealthzErrorStream {
		return false
	}
	_, err := os.Lstat(filepath.Join(s.streams(), e.Account, "streams", e.Stream, "meta.inf"))
	return errors.Is(err, fs.ErrNotExist)
}

// Shutdown stops the server, waits for it, and gives the folder free.
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
