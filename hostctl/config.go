package hostctl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/procfs"
	"go.opentelemetry.io/otel/trace"

	"lull/actors"
	"lull/hostctl/actor"
	"lull/hostctl/guard"
	"lull/hostctl/moved"
	"lull/hostctl/spreading"
	"lull/subjects"
	"lull/subjects/spec"
)

// Config says which host the agent speaks for, and how it treats the host.
type Config struct {
	// Bus carries the pool's log. Required.
	Bus actors.Bus
	// Lookup answers what the log of this host does not say. Required.
	Lookup Lookup
	// Host is the host's name, a subject token that no other agent of the pool
	// uses. Defaults to the machine's name.
	Host string
	// Data is the folder for scratch, outputs and logs. Required. A second
	// agent for the same pool in it is refused.
	Data string
	// Root is the prefix of /proc and /sys. Defaults to "/".
	Root string

	// Hide names folders and files that tasks may not read, beside Data: where the agent's keys and those of
	// its pool are. It counts where tasks run as the agent's user.
	Hide []string

	Options

	// Ahead is how many brief tasks wait on the host for a slot. The next one then begins when one
	// ends, without a round trip through the log. 0 means four a slot, so that they arrive in
	// batches of two a slot. A negative number means none.
	Ahead int
	// Memory is the bytes that tasks may share. Defaults to the RAM less
	// ReserveMemory.
	Memory int64
	// Sensor measures how long the primary waits because of batch work. Without
	// it CPU is left to the kernel's idle class, memory and disk are guarded.
	Sensor guard.Sensor
	// Spreader makes the process that moves waiting threads of the primary. Without
	// it they stay where the kernel queues them.
	Spreader spreading.Command
	// Harm returns what batch work gave and took since this process began. The agent calls it after
	// each sample of Usage and records it in the log. Nil for never.
	Harm func() actor.HarmTotals
	// Stdin returns a path from which the shim opens an attempt's standard input, for stages whose input
	// this process has: see spec.Stage. Nil if it has none.
	Stdin func(name string, attempt uint64) (path string, err error)
	// OnJoined is called once, after this agent has joined the pool under Host. Nil for nothing.
	OnJoined func()
	// MinFree is the free disk space, in bytes, that is kept for the primary. A task that fills the
	// disk is evicted before the space falls below it, and below it nothing starts. Defaults to the
	// larger of 64 MB and a hundredth of the disk.
	MinFree int64

	// Moved counts what the agent moves over the network for tasks. Defaults to nothing.
	Moved *moved.Counter
	// TLS serves outputs and logs by HTTPS. Defaults to none: plain HTTP.
	TLS *tls.Config
	// Roots are the authorities that sign other hosts' certificates. Defaults to the
	// system's.
	Roots *x509.CertPool
	// Grace is the time between SIGTERM and SIGKILL of tasks whose stage has no grace of its own. Defaults to
	// spec.DefaultGrace.
	Grace time.Duration
	// OneJob says that the pool runs one job and ends with it.
	OneJob bool
	// Hurry is closed when an agent that leaves is to kill its tasks at once. Nil stands for never.
	Hurry <-chan struct{}
	// Shim is the command of a shim. Defaults to this program with "shim".
	Shim []string
	// Sum is the command of a process that hashes large outputs in the background: it is
	// to call sum.Main. Without one the agent hashes them itself, at its own weight.
	Sum []string
	// Usage delivers this host's own telemetry, for the reserve and for
	// residuals. Without it there is no reserve.
	Usage <-chan *subjects.Usage
	// Version is shown to people.
	Version string

	// Logger defaults to one that discards; Registerer and Tracer to none.
	Logger     *slog.Logger
	Registerer prometheus.Registerer
	Tracer     trace.Tracer
}

func (c *Config) setDefaults() error {
	name, _ := os.Hostname()
	setDefault(&c.Host, subjects.Token(name))
	setDefault(&c.Root, "/")
	setDefault(&c.Listen, "127.0.0.1:0")
	setDefault(&c.Grace, spec.DefaultGrace)
	setDefault(&c.EvictionGrace, DefaultEvictionGrace)
	setDefault(&c.GuardBudget, guard.DefaultBudget)
	setDefault(&c.StarveAfter, 10*time.Second)
	setDefault(&c.StarveRun, 100*time.Millisecond)
	if len(c.Shim) == 0 {
		c.Shim = []string{"/proc/self/exe", "shim"}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Labels = slices.Compact(slices.Sorted(slices.Values(c.Labels)))
	if c.Bus == nil || c.Lookup == nil || c.Data == "" {
		return errors.New("agent: Bus, Lookup and Data are required")
	}
	return subjects.CheckToken("host", c.Host)
}

// setSizes fills in what depends on the host, which has so many cores.
func (c *Config) setSizes(cores int, protected bool) error {
	ram, err := ramSize(c.Root)
	if err != nil {
		return err
	}
	if c.ReserveCPU == 0 && !protected {
		c.ReserveCPU = cores / 3
	}
	setDefault(&c.ReserveMemory, ram/10)
	c.ReserveCPU, c.ReserveMemory = max(c.ReserveCPU, 0), max(c.ReserveMemory, 0)
	setDefault(&c.Slots, uint32(max(cores-c.ReserveCPU, 1)))
	setDefault(&c.Ahead, 4*int(min(c.Slots, subjects.MaxSlots/4)))
	c.Ahead = max(c.Ahead, 0)
	setDefault(&c.Memory, max(ram-c.ReserveMemory, 0))
	return nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// ramSize is the machine's RAM in bytes.
func ramSize(root string) (int64, error) {
	fs, err := procfs.NewFS(root + "/proc")
	if err != nil {
		return 0, fmt.Errorf("size of the memory: %w", err)
	}
	info, err := fs.Meminfo()
	if err != nil || info.MemTotal == nil {
		return 0, errors.Join(errors.New("size of the memory is unknown"), err)
	}
	return int64(*info.MemTotal) << 10, nil
}

// Lookup finds what the facts about one host do not hold.
type Lookup interface {
	// Submitted returns the submitted event of a job that the ledger accepted: that
	// of sequence doc, or the job's last one if doc is 0.
	Submitted(ctx context.Context, job string, doc uint64) (*subjects.Submitted, error)
	// Object returns an object of the pool's bucket. The error wraps
	// fs.ErrNotExist when it is known that there is none of this name, and
	// fs.ErrInvalid when it has more than spec.MaxChunk bytes.
	Object(ctx context.Context, name string) ([]byte, error)
	// Ask sends a question on Pool.Ask(what) and returns the answer.
	Ask(ctx context.Context, what string, body []byte) ([]byte, error)
	// Ticket asks a host for a ticket to its outputs: see fetch.Client.
	Ticket(ctx context.Context, host string) (subjects.TicketAnswer, error)
}
