// Package stage is a machine with a measured primary, and batch work beside it in each of the ways
// to keep it in the background.
package stage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"lull/test/bench/live/host"
)

// Config says what is on the stage.
type Config struct {
	Primary string   // the primary's server: go, workers, pinned
	Lull    bool     // a pool of this host, too
	Flags   []string // of its `lull up`
}

// Stage is everything that a run needs: the programs, the groups, the primary,
// and a pool of one host if lull is among the ways.
type Stage struct {
	Dir         string // for files
	BatchBinary string // the program of batch work, in Dir
	Groups      *host.Groups
	Batch       map[string]string // cgroup by way
	Tenant      *Tenant
	Lull        *host.Instance // nil without one
	Begin       time.Time

	binary string // package tenant's
	flags  int
}

// Open builds the programs, makes the groups and starts the primary, and lull if it
// is asked for.
func Open(ctx context.Context, cfg Config) (s *Stage, err error) {
	s = &Stage{Batch: map[string]string{}, Begin: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if s.Dir, err = os.MkdirTemp("", "lull-bench-"); err != nil {
		return s, err
	}
	if err = s.programs(ctx); err != nil {
		return s, err
	}
	if err = s.group(); err != nil {
		return s, err
	}
	if s.Tenant, err = s.startTenant(ctx, cfg.Primary); err != nil {
		return s, err
	}
	if cfg.Lull {
		err = s.startLull(ctx, cfg.Flags)
	}
	return s, err
}

// programs builds the tenant. Batch work is the same program under another name, which
// distinguishes the two in a trace of the scheduler.
func (s *Stage) programs(ctx context.Context) (err error) {
	if s.binary, err = host.BuildCommand(ctx, s.Dir, "./test/bench/tenant"); err != nil {
		return err
	}
	s.BatchBinary = filepath.Join(s.Dir, "batch")
	return os.Link(s.binary, s.BatchBinary)
}

// group makes the cgroups of the primary and of the ways that have one.
func (s *Stage) group() (err error) {
	if s.Groups, err = host.NewGroups(); err != nil {
		return err
	}
	for _, name := range []string{"primary", Weighted, Idled} {
		if s.Batch[name], err = s.Groups.Add(name); err != nil {
			return fmt.Errorf("make a cgroup: %w", err)
		}
	}
	return errors.Join(
		s.Groups.Weigh(s.Batch[Weighted], host.LeastWeight),
		s.Groups.Idle(s.Batch[Idled]))
}

// Start runs batch work in a way.
func (s *Stage) Start(ctx context.Context, way, kind string) (Batch, error) {
	switch way {
	case Unmanaged:
		return s.Launch(kind, Copies[kind], "-join", "")
	case Niced:
		return s.Launch(kind, Copies[kind], "-join", s.Batch["primary"], "-nice", "19")
	case Weighted, Idled:
		return s.Launch(kind, Copies[kind], "-join", s.Batch[way])
	case Thin:
		return s.Launch(kind, runtime.NumCPU(), "-join", s.Batch[Idled])
	case Spread:
		return s.launchSpread(kind)
	case OnCore:
		return s.Launch(kind, Copies[kind], "-join", s.Batch[Idled], "-core", strconv.Itoa(runtime.NumCPU()-1))
	case Lulled:
		return s.submit(ctx, kind)
	}
	return nothing{}, nil
}

// NextFlag names a file that is not there yet.
func (s *Stage) NextFlag() string {
	s.flags++
	return filepath.Join(s.Dir, fmt.Sprintf("stop-%d", s.flags))
}

// Close ends the primary and lull, and removes groups and files.
func (s *Stage) Close() (err error) {
	if s.Lull != nil {
		err = s.Lull.Stop()
	}
	if s.Tenant != nil {
		s.Tenant.stop()
	}
	if s.Groups != nil {
		err = errors.Join(err, s.Groups.Remove())
	}
	if s.Dir != "" {
		_ = os.RemoveAll(s.Dir) // a leftover in the temporary folder
	}
	return err
}
