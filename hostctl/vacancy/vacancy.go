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
	Seq      uint64 // of its Joined, 0 for none
	Instance string // that wrote it, "" if that is not known
	Boot     string // of that agent's machine
	Away     bool   // Left or Lost ended it
}

// Config says which host's name is watched.
type Config struct {
	Host string
	// Boot identifies the boot of this machine.
	Boot string
	// File keeps the last instance that used the data folder.
	File   string
	Logger *slog.Logger
	// Named is called once, when the name was found to be free. Defaults to nothing.
	Named func()
}

// Bus is the bus of a host's shell. Its Append of a Joined waits until the name is free.
type Bus struct {
	actors.Bus
	cfg    Config
	joined string // subject of Joined
	taken  chan error
	named  chan struct{}
	once   sync.Once // closes named
	left   string    // instance that the file named at the start
	mu     struct {
		sync.Mutex
		instance string   // of the next Joined
		last     Term     // before it
		own      []string // instances of this process
	}
}

var _ actors.Bus = (*Bus)(nil)

// New returns a bus for the shells of one process. A file that cannot be read only costs a wait.
func New(bus actors.Bus, cfg Config) *Bus {
	left, _ := os.ReadFile(cfg.File)
	return &Bus{
		Bus: bus, cfg: cfg, joined: bus.Pool().Joined(cfg.Host), taken: make(chan error, 1), named: make(chan struct{}), left: string(left),
	}
}

// Taken delivers ErrTaken, once, if the name is in use.
func (b *Bus) Taken() <-chan error { return b.taken }

// Once returns a run that begins when the name is this process's: what answers under the name of
// another agent misleads those that ask.
func (b *Bus) Once(run func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		select {
		case <-b.named:
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
// sends the error on Taken, and returns when ctx ends: otherwise the shell would try again.
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

// own notes that the next Joined is this process's, and returns its instance.
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

// use notes the instance that has joined for the next process on the folder.
func (b *Bus) use(instance string) {
	b.once.Do(func() {
		close(b.named)
		if b.cfg.Named != nil {
			b.cfg.Named()
		}
	})
	if err := os.WriteFile(b.cfg.File, []byte(instance), 0o600); err != nil {
		b.cfg.Logger.Debug("the next agent on this folder will listen for this one before it joins", "error", err)
	}
}

// wait returns when the name is free. The error is ErrTaken, among others, if it is not.
func (b *Bus) wait(ctx context.Context) error {
	b.mu.Lock()
	last := b.mu.last
	over := last.Away || slices.Contains(b.mu.own, last.Instance) ||
		last.Instance != "" && last.Instance == b.left && last.Boot == b.cfg.Boot
	b.mu.Unlock()
	if over {
		return nil
	}
	if last.Seq == 0 { // perhaps the Joined of an agent that is alive was trimmed away
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

// Beats come every second.
const (
	// silence is the time without a beat after which an agent counts as gone.
	silence = 3 * time.Second
	// apart is the shortest time between two heartbeats that prove an agent alive: one heartbeat
	// may have been on its way when the agent ended.
	apart = 500 * time.Millisecond
)

// alive listens until it knows whether an agent beats under the name. It returns that agent's last
// beat, nil if there is none.
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
