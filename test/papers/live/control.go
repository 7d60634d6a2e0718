package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"lull/hostctl/pace"
	"lull/hostctl/rig"
	"lull/subjects/spec"
	"lull/test/steal"
	"lull/test/tables"
)

// operator is one of Park and Humphrey's characteristic operators, as a program
// of ours that does its work.
type operator struct {
	name, program string
	args          []string
	burst         float64 // bytes that it reads at once, if they take more than a sample
}

// operators are the operators of the paper's Table 1.
var operators = []operator{
	{"select", "grep", []string{"grep-search", `[Cc]ontext\.[A-Z]\w+`}, 0},
	{"group-by", "word count", []string{"wordcount"}, 0},
	{"order-by", "sort", []string{"sort"}, 4 << 20}, // a run
	{"join", "hash join", []string{"join", "KEYS"}, 0},
}

// bench is where programs run under the pace on this machine.
type bench struct {
	dir, work string
	text      spec.Range
	rig       *rig.Rig
	shows     int     // how often a program has shown how it follows its cap
	stretch   float64 // of the job that queues share the machine with
}

// withPrograms builds the programs, writes their input, runs f, and leaves nothing.
func withPrograms(ctx context.Context, f func(b *bench) error) error {
	dir, err := os.MkdirTemp("", "lull-control-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	b := &bench{dir: dir, work: filepath.Join(dir, "work")}
	if err := b.prepare(ctx); err != nil {
		return err
	}
	return f(b)
}

// withBench is withPrograms with a rig to run them.
func withBench(ctx context.Context, slots int, f func(b *bench) error) error {
	return withPrograms(ctx, func(b *bench) (err error) {
		if b.rig, err = rig.Open(rig.Config{Dir: filepath.Join(b.dir, "rig"), Slots: slots}); err != nil {
			return err
		}
		defer func() {
			leave, stop := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
			defer stop()
			err = errors.Join(err, b.rig.Close(leave))
		}()
		return f(b)
	})
}

func (b *bench) prepare(ctx context.Context) error {
	build := exec.CommandContext(ctx, "go", "build", "-o", b.work, "./test/bench/work")
	build.Dir = tables.Module()
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./test/bench/work: %w\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "KEYS"), []byte("context\nerror\nfunc\nreader\nstring\nwriter\n"), 0o644); err != nil {
		return err
	}
	path := filepath.Join(b.dir, "text")
	size, err := writeSources(ctx, path)
	b.text = spec.Range{Path: path, Size: size, Length: size}
	return err
}

// textBytes of Go's own sources are the input, read over and over: they stay in the page cache, so
// the pipeline is measured and not a disk.
const textBytes = 32 << 20

func writeSources(ctx context.Context, path string) (int64, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return 0, fmt.Errorf("go env GOROOT: %w", err)
	}
	out, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	err = join(out, filepath.Join(strings.TrimSpace(string(root)), "src"), textBytes)
	info, err2 := out.Stat()
	if err := errors.Join(err, err2, out.Close()); err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// endless is more input than a program reads in any of the runs.
func (b *bench) endless() []spec.Range {
	list := make([]spec.Range, 2000) // 64 GB
	for i := range list {
		list[i] = b.text
	}
	return list
}

// start runs an operator at a reference, in bytes/s. Its model is its name's.
func (b *bench) start(ctx context.Context, o operator, reference, priority float64) (*rig.Run, error) {
	dir, err := os.MkdirTemp(b.dir, "task-")
	if err != nil {
		return nil, err
	}
	args := b.argv(o)
	return b.rig.Start(ctx, rig.Task{
		Argv: args, Env: []string{"LULL_OUT=" + dir}, Dir: dir, Input: b.endless(), Stderr: filepath.Join(dir, "stderr"),
		Kind: o.name, Reference: reference, Priority: priority,
	})
}

func (b *bench) argv(o operator) []string {
	if o.args[0] == "PIPE" {
		return []string{"/bin/sh", "-c", "grep -i err | exec " + b.work + " wordcount"}
	}
	args := append([]string{b.work}, o.args...)
	for i, arg := range args {
		if arg == "KEYS" {
			args[i] = filepath.Join(b.dir, "KEYS")
		}
	}
	return args
}

// again explains how noise of a virtual machine's neighbours is kept out of the figures.
const again = "Measured again, up to seven times, while the hypervisor took more than 2 % of the CPU; the least disturbed counts."

// identify runs an operator undisturbed to learn how it follows its cap. taken is the share of the
// CPU that was stolen meanwhile.
func (b *bench) identify(ctx context.Context, o operator) (learnt *pace.Learnt, taken float64, err error) {
	return steal.Least(ctx, func() (*pace.Learnt, error) { return b.show(ctx, o) })
}

// show runs an operator without a known model, as a trial, and ends it.
func (b *bench) show(ctx context.Context, o operator) (*pace.Learnt, error) {
	b.shows++
	o.name = fmt.Sprintf("%s, %d", o.name, b.shows)
	run, err := b.start(ctx, o, 1, 0)
	if err != nil {
		return nil, err
	}
	select {
	case <-run.Identified():
	case <-run.Done():
		if err := run.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", o.name, err)
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	err = run.Stop(ctx)
	learnt := run.Learnt()
	if learnt == nil {
		return nil, errors.Join(err, fmt.Errorf("%s ended before it showed anything", o.name))
	}
	return learnt, err
}
