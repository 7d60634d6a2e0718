package shim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/goenv"
)

// Launch connects to the living shim of a slot, or starts one.
//
// A slot that is frozen together with its shim is thawed first, since a frozen
// shim greets no client. If no shim lives, what an earlier one left running is
// killed before a new one starts: no shim could wait for it any more.
func Launch(ctx context.Context, cfg Config) (*Client, error) {
	cfg = cfg.withDefaults()
	if err := os.MkdirAll(cfg.Dir, 0o755); err != nil {
		return nil, fmt.Errorf("slot's folder: %w", err)
	}
	c, err := Find(ctx, cfg)
	if err == nil || !nobodyThere(err) {
		return c, err
	}
	if err := clearSlot(ctx, cfg); err != nil {
		return nil, fmt.Errorf("clear the slot for a new shim: %w", err)
	}
	if err := start(ctx, cfg); err != nil {
		return nil, err
	}
	return dial(ctx, cfg.Dir)
}

// Find connects to the living shim of a slot. The error says that none answers.
func Find(ctx context.Context, cfg Config) (*Client, error) {
	if err := wakeFrozen(ctx, cfg); err != nil {
		return nil, err
	}
	return dial(ctx, cfg.Dir)
}

// clearSlot kills what a dead shim left running.
func clearSlot(ctx context.Context, cfg Config) error {
	if cfg.Slot == nil {
		killLeftover(cfg.Dir)
		return nil
	}
	return cfg.Slot.Kill(ctx)
}

func wakeFrozen(ctx context.Context, cfg Config) error {
	if cfg.Slot == nil || !cfg.Slot.FreezesShim() {
		return nil
	}
	return cfg.Slot.Thaw(ctx)
}

// nobodyThere reports whether no process listens on the socket, or the one that
// did ended just now, before it greeted.
func nobodyThere(err error) bool {
	return errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ECONNREFUSED) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF)
}

// readyPatience bounds the wait for a new shim, which takes a few milliseconds where there is CPU. A shim that is only
// slow should not be given up: the next launch kills it, and begins anew.
const readyPatience = time.Minute

// start starts a shim in a session of its own and returns once it listens.
// The shim says so on a pipe, or what went wrong.
func start(ctx context.Context, cfg Config) error {
	ready, tell, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("start the shim: %w", err)
	}
	defer ready.Close() //nolint:errcheck // read only
	cmd, err := command(cfg)
	if err == nil {
		cmd.ExtraFiles = []*os.File{tell}
		err = born(cmd, cfg.Slot)
	}
	_ = tell.Close() // the shim has its own
	if err != nil {
		return fmt.Errorf("start the shim: %w", err)
	}
	go cmd.Wait() //nolint:errcheck // only so that no zombie stays; the socket tells of its end
	return await(ctx, ready)
}

// born starts the command in the cgroups of the slot's shim.
func born(cmd *exec.Cmd, slot *cgroup.Slot) error {
	defer cmd.Stderr.(*os.File).Close() //nolint:errcheck // the shim has its own
	if slot == nil {
		return cmd.Start()
	}
	return cgroup.Start(cmd, cgroup.Groups{Unified: slot.ShimGroup(), Joins: slot.ShimJoins()})
}

// command is the shim's command line. Its environment only keeps it small: a
// heap that starts at 1 MB rather than 4.
func command(cfg Config) (*exec.Cmd, error) {
	args := append(cfg.Command[1:len(cfg.Command):len(cfg.Command)], options{
		dir: cfg.Dir, background: cfg.Background, processes: cfg.Processes, fileSize: cfg.FileSize, idle: cfg.Idle, keep: cfg.Keep,
	}.in(cfg.Slot).args()...)
	log, err := os.OpenFile(filepath.Join(cfg.Dir, "shim.log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(cfg.Command[0], args...)
	cmd.Env = goenv.Of("GOMAXPROCS=2", "GOGC=25", "GOMEMLIMIT=16MiB")
	cmd.Stderr = log
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd, nil
}

// await reads what the new shim says of itself: readyWord, or an error's text.
func await(ctx context.Context, ready *os.File) error {
	ctx, stop := context.WithTimeout(ctx, readyPatience)
	defer stop()
	defer context.AfterFunc(ctx, func() { _ = ready.SetReadDeadline(time.Unix(1, 0)) })()
	greeting, err := io.ReadAll(io.LimitReader(ready, 4096))
	switch text := strings.TrimSpace(string(greeting)); {
	case err != nil:
		return fmt.Errorf("start the shim: it does not get ready: %w", errors.Join(err, ctx.Err()))
	case text == readyWord:
		return nil
	case text == "":
		return errors.New("start the shim: it ended at once (see shim.log in the slot's folder)")
	default:
		return fmt.Errorf("start the shim: %s", text)
	}
}

// readyWord is what a shim writes to its ready pipe when it listens.
const readyWord = "ready"
