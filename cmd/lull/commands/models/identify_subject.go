package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lull/client/pin"
	"lull/cmd/lull/commands/cli"
	"lull/hostctl/rig"
	"lull/subjects/spec"
)

// subject is the command to be identified.
type subject struct {
	name  string // for people
	argv  []string
	env   []string
	dir   string // "": a folder of its own
	cores float64
	input []spec.Range
}

// subject finds the command in the job file, or on the command line.
func (i *identify) subject(cmd *cobra.Command, args []string) (*subject, error) {
	switch dash := cmd.ArgsLenAtDash(); {
	case dash == 0 && len(args) > 0:
		return typed(args, cmd.InOrStdin())
	case dash < 0 && len(args) == 1:
		return i.filed(cmd.Context(), args[0], cmd.InOrStdin())
	}
	return nil, errors.New("give it one job file, or -- and a command: see `lull identify --help`")
}

// typed is a command with the file that is its standard input.
func typed(argv []string, stdin io.Reader) (*subject, error) {
	refusal := fmt.Errorf("%s has no input to measure: give it a file that is not empty, lull identify -- %s < FILE", argv[0], strings.Join(argv, " "))
	f, ok := stdin.(*os.File)
	if !ok {
		return nil, refusal
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil, refusal
	}
	path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return nil, fmt.Errorf("find the file that is standard input: %w", err)
	}
	here, err := os.Getwd()
	return &subject{
		name: argv[0], argv: argv, dir: here, cores: 1,
		input: []spec.Range{{Path: path, Size: info.Size(), Length: info.Size()}},
	}, err
}

// filed is one task of a stage of a job file.
func (i *identify) filed(ctx context.Context, path string, stdin io.Reader) (*subject, error) {
	doc, err := i.Read(path, stdin)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(doc.Stages, func(s spec.DocStage) bool {
		return s.Name == i.stage || i.stage == "" && len(s.Inputs) > 0
	})
	switch {
	case at < 0 && i.stage != "":
		return nil, fmt.Errorf("%s: no stage is called %q", path, i.stage)
	case at < 0 || len(doc.Stages[at].Inputs) == 0:
		return nil, fmt.Errorf("%s: a stage with inputs: is needed, for throughput is what its task reads a second", path)
	}
	folder, err := cli.Folder(path)
	if err != nil {
		return nil, err
	}
	return staged(ctx, &doc.Stages[at], folder)
}

// staged returns the first task of a stage, with relative paths that begin at folder.
func staged(ctx context.Context, stage *spec.DocStage, folder string) (*subject, error) {
	files, err := pin.Files(ctx, folder, stage.Inputs)
	if err != nil {
		return nil, err
	}
	s := &subject{name: "stage " + stage.Name, argv: stage.Command, cores: float64(max(stage.CPU, 1)), dir: stage.Dir}
	if s.dir != "" && !filepath.IsAbs(s.dir) {
		s.dir = filepath.Join(folder, s.dir)
	}
	for _, name := range slices.Sorted(maps.Keys(stage.Env)) {
		s.env = append(s.env, name+"="+stage.Env[name])
	}
	for split := range spec.Splits(files.Files, stage.Split, stage.Group) {
		s.input = split.Ranges
		break
	}
	return s, s.check()
}

func (s *subject) check() error {
	if s.bytes() == 0 {
		return fmt.Errorf("%s: its first task's input is empty", s.name)
	}
	for _, r := range s.input {
		if spec.IsURL(r.Path) {
			return fmt.Errorf("%s reads %s: fetch it first, a network's speed would be measured otherwise", s.name, r.Path)
		}
	}
	return nil
}

func (s *subject) bytes() (n int64) {
	for _, r := range s.input {
		n += r.Length
	}
	return n
}

// task is the command as a rig runs it, with its input again and again.
func (s *subject) task(dir string) (rig.Task, error) {
	out, own := filepath.Join(dir, "out"), filepath.Join(dir, "work")
	for _, folder := range []string{out, own, filepath.Join(dir, "slots")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return rig.Task{}, err
		}
	}
	progress := filepath.Join(own, "lull-progress")
	env := append(os.Environ(), "LULL_OUT="+out, "LULL_CHECKPOINT="+out, "LULL_TASK=0", "LULL_TASKS=1", "TMPDIR="+own, "LULL_PROGRESS="+progress)
	if s.dir != "" {
		own = s.dir
	}
	return rig.Task{
		Argv: s.argv, Env: append(env, s.env...), Dir: own, Input: s.endless(), Stderr: filepath.Join(dir, "stderr"),
		Progress: progress, Cores: s.cores, Kind: s.name, Reference: 1, // any: it is not controlled yet
	}, nil
}

const (
	enoughBytes = 64 << 30 // 5 GB/s for the twelve seconds
	mostRanges  = 50_000   // of which the shim's order has place
)

// endless repeats the input until no command reads it all in the time.
func (s *subject) endless() (list []spec.Range) {
	for read := int64(0); read < enoughBytes && len(list) < mostRanges; read += s.bytes() {
		list = append(list, s.input...)
	}
	return list
}
