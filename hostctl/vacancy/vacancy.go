package vacancy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
)

// ErrTaken says that another agent is alive under the host's name.
var ErrTaken = errors.New("another agent is alive under this name")

// Term is a host's term as the log records it.
type Term struct {
	Seq      uint64 // sequence of the Joined event that began it, 0 if the log has none
	Instance string // agent instance that wrote the Joined, "" if unknown
	Boot     string // boot of that agent's machine
	Away     bool   // a Left or Lost event ended the term
}

// Config says which host's name is watched.
type Config struct {
	Host string
	// Boot identifies the boot of this machine.
	Boot string
	// File keeps the last instance that used the data folder.
	File   string
	Logger *slog.Logger
	// OnJoined is called once, after this process has joined under the name. It may be nil.
	OnJoined func()
}

// Bus is the bus of a host's shell. Its Append of a Joined waits until the name is free.
type Bus struct {
	actors.Bus
	cfg      Config
	joined   string // subject of Joined
	taken    chan error
	haveName chan struct{}
	once     sync.Once // closes haveName
	left     string    // instance that the file named at the start
	mu       struct {
		sync.Mutex
		instance string   // instance that writes the next Joined
		last     Term     // the host's last term before that Joined
		own      []string // instances that this process has used
	}
}

var _ actors.Bus = (*Bus)(nil)

// New returns a bus for the shells of one process. If cfg.File cannot be read, the first Joined may wait
// while the bus listens for another agent's heartbeats.
func New(bus actors.Bus, cfg Config) *Bus {
	left, _ := os.ReadFile(cfg.File)
	return &Bus{
		Bus: bus, cfg: cfg, joined: bus.Pool().Joined(cfg.Host), taken: make(chan error, 1), haveName: make(chan struct{}), left: string(left),
	}
}

// Taken delivers ErrTaken, once, if the name is in use.
func (b *Bus) Taken() <-chan error { return b.taken }

// Once returns a function that waits until this process has the name, and then calls run. An answer given
// under the name of another agent would mislead the caller.
func (b *Bus) Once(run func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		select {
		case <-b.haveName:
			run(ctx)
		case <-ctx.Done():
		}
	}
}

// Expect says which instance makes the next Joined, and which term was the last.
func (b *Bus) Expect(instance string, last Term) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.instance, b.mu.last = instance, last
}

// Append appends a batch. If the batch is a Joined and the name is in use, Append appends nothing,
// sends the error on Taken, and blocks until ctx ends, because the shell retries an Append that fails.
func (b *Bus) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	if len(batch) != 1 || batch[0].Subject != b.joined {
		return b.Bus.Append(ctx, batch, fence)
	}
	err := b.wait(ctx)
	if errors.Is(err, ErrTaken) {
		select {
		case b.taken <- err:
		default:
		}
		<-ctx.Done()
		return 0, context.Cause(ctx)
	}
	if err != nil {
		return 0, err
	}
	instance := b.own()
	seq, err := b.Bus.Append(ctx, batch, fence)
	if err == nil || errors.Is(err, actors.ErrUnknown) { // it may be in the log
		b.use(instance)
	}
	return seq, err
}

// own adds the instance of the next Joined to those of this process, and returns it.
func (b *Bus) own() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.Contains(b.mu.own, b.mu.instance) {
		b.mu.own = append(b.mu.own, b.mu.instance)
	}
	if n := len(b.mu.own); n > 8 {
		b.mu.own = slices.Clone(b.mu.own[n-8:])
	}
	return b.mu.instance
}

// use records that instance has joined. It starts what waits for the name, and writes the instance to the
// file, where the next process that uses the data folder finds it.
func (b *Bus) use(instance string) {
	b.once.Do(func() {
		close(b.haveName)
		if b.cfg.OnJoined != nil {
			b.cfg.OnJoined()
		}
	})
	if err := os.WriteFile(b.cfg.File, []byte(instance), 0o600); err != nil {
		b.cfg.Logger.Debug("the next agent on this folder will listen for this one before it joins", "error", err)
	}
}

// wait returns nil once the name is known to be free, and an error that wraps ErrTaken if another agent
// uses it.
func (b *Bus) wait(ctx context.Context) error {
	b.mu.Lock()
	last := b.mu.last
	over := last.Away || slices.Contains(b.mu.own, last.Instance) ||
		last.Instance != "" && last.Instance == b.left && last.Boot == b.cfg.Boot
	b.mu.Unlock()
	if over {
		return nil
	}
	if last.Seq == 0 { // the log may have been trimmed, and with it the Joined of an agent that is alive
		if log, err := b.Log(ctx); err != nil || log.First <= 1 {
			return err
		}
	}
	other, err := b.alive(ctx)
	if err != nil || other == nil {
		return err
	}
	where := "on another machine"
	if other.Boot == b.cfg.Boot {
		where = "on this machine"
	}
	return fmt.Errorf("host name %s: %w, %s: give this host a name of its own (--name), or stop the other agent first", b.cfg.Host, ErrTaken, where)
}

// An agent sends a heartbeat (subjects.Beat) every second.
const (
	// silence is the time without a beat after which an agent counts as gone.
	silence = 3 * time.Second
	// apart is the shortest time between two heartbeats that prove an agent alive: one heartbeat
	// may have been on its way when the agent ended.
	apart = 500 * time.Millisecond
)

// alive listens until it knows whether another agent sends heartbeats under the name. It returns that
// agent's latest heartbeat, or nil if no agent sends any.
func (b *Bus) alive(ctx context.Context) (*subjects.Beat, error) {
	listening, stop := context.WithCancel(ctx)
	defer stop()
	beats, err := b.Listen(listening, b.Pool().Beat(b.cfg.Host))
	if err != nil {
		return nil, err
	}
	b.cfg.Logger.Info("this host's name was in use before: checking for a moment that no other agent uses it now", "host", b.cfg.Host)
	var first time.Time
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-quiet.C:
			return nil, nil
		case d, ok := <-beats:
			if !ok {
				return nil, errors.New("the connection was closed before another agent's heartbeats could arrive")
			}
			beat, wrong := subjects.DecodeTelemetry(b.Pool(), d.Subject, d.Body)
			other, is := beat.(*subjects.Beat)
			switch {
			case wrong != nil || !is:
				continue
			case first.IsZero():
				first = time.Now()
			case time.Since(first) >= apart:
				return other, nil
			}
			quiet.Reset(silence)
		}
	}
}
