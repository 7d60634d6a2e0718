package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// stage is everything that a run needs: the programs, the groups, the primary,
// and a pool of one host if lull is among the ways.
type stage struct {
	dir, binary string // a folder, and the programs of package tenant in it
	batchBinary string
	groups      *groups
	batch       map[string]string // cgroup by way
	tenant      *tenant
	lull        *instance // nil if it is not among the ways
	flags       int
	begin       time.Time
}

func openStage(ctx context.Context, f *interfering) (s *stage, err error) {
	s = &stage{batch: map[string]string{}, begin: time.Now()}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if s.dir, err = os.MkdirTemp("", "lull-bench-"); err != nil {
		return s, err
	}
	if err = s.programs(ctx); err != nil {
		return s, err
	}
	if err = s.group(); err != nil {
		return s, err
	}
	if s.tenant, err = s.startTenant(ctx, f.primary); err != nil {
		return s, err
	}
	if slices.Contains(f.ways, lulled) {
		err = s.startLull(ctx, f.lull)
	}
	return s, err
}

// programs builds the tenant. Batch work is the same program under another
// name, which tells the two apart in a trace of the scheduler.
func (s *stage) programs(ctx context.Context) (err error) {
	if s.binary, err = buildOf(ctx, s.dir, "./test/bench/tenant"); err != nil {
		return err
	}
	s.batchBinary = filepath.Join(s.dir, "batch")
	return os.Link(s.binary, s.batchBinary)
}

// group makes the cgroups of the primary and of the ways that have one.
func (s *stage) group() (err error) {
	if s.groups, err = newGroups(); err != nil {
		return err
	}
	for _, name := range []string{"primary", weighted, idled} {
		if s.batch[name], err = s.groups.add(name); err != nil {
			return fmt.Errorf("make a cgroup: %w", err)
		}
	}
	return errors.Join(
		s.groups.weigh(s.batch[weighted], leastWeight),
		s.groups.idle(s.batch[idled]))
}

// start runs batch work in a way.
func (s *stage) start(ctx context.Context, way, kind string) (beside, error) {
	switch way {
	case unmanaged:
		return s.launch(kind, copies[kind], "-join", "")
	case niced:
		return s.launch(kind, copies[kind], "-join", s.batch["primary"], "-nice", "19")
	case weighted, idled:
		return s.launch(kind, copies[kind], "-join", s.batch[way])
	case thin:
		return s.launch(kind, runtime.NumCPU(), "-join", s.batch[idled])
	case spread:
		return s.launchSpread(kind)
	case onCore:
		return s.launch(kind, copies[kind], "-join", s.batch[idled], "-core", strconv.Itoa(runtime.NumCPU()-1))
	case lulled:
		return s.submit(ctx, kind)
	}
	return nothing{}, nil
}

// nextFlag names a file that is not there yet.
func (s *stage) nextFlag() string {
	s.flags++
	return filepath.Join(s.dir, fmt.Sprintf("stop-%d", s.flags))
}

func (s *stage) close() (err error) {
	if s.lull != nil {
		err = s.lull.stop()
	}
	if s.tenant != nil {
		s.tenant.stop()
	}
	if s.groups != nil {
		err = errors.Join(err, s.groups.remove())
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // a leftover in the temporary folder
	}
	return err
}
