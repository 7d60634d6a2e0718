package tct

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"lull/subjects/spec"
	"lull/test/bench/live/host"
)

// kind is one job type: its program and how much a task of it does. Sizes make
// tasks of 0.3 to 1 s on a core of 2025; the curves are normalised by it.
type kind struct {
	name  string // of the model
	paper float64
	input string  // file of the prepared ones, "" for none
	bytes float64 // of a split
	args  func(rng *rand.Rand, scale float64) []string

	command []string
	splits  []spec.Split
	scale   float64
	next    int // split of the next task
}

// allKinds are the types of MIMP's Table 2 with its NRMSE.
func allKinds(in string) []*kind {
	centres := func(*rand.Rand, float64) []string { return []string{filepath.Join(in, "centres")} }
	return []*kind{
		{name: "pi", paper: 0.0774, args: piPoints},
		{name: "wordcount", paper: 0.0725, input: "text", bytes: 60e6},
		{name: "sort", paper: 0.0802, input: "text", bytes: 40e6},
		{name: "terasort", paper: 0.0817, input: "records", bytes: 36e6},
		{name: "kmeans-class", paper: 0.0861, input: "points", bytes: 33e6, args: centres},
		{name: "kmeans-iter", paper: 0.0953, input: "points", bytes: 33e6, args: centres},
		{name: "grep-search", paper: 0.0826, input: "text", bytes: 30e6, args: randomPattern},
		{name: "grep-sort", paper: 0.0964, input: "matches", bytes: 9e6},
	}
}

// worstPaper is the highest NRMSE that the paper reports: the bound of ours.
const worstPaper = 0.0964

func piPoints(_ *rand.Rand, scale float64) []string {
	return []string{strconv.Itoa(int(20e6 * scale))}
}

// randomPattern finds the words that have two drawn letters in a row, as the
// paper's grep looks for a randomly chosen expression. The pairs are such as
// are common in English, so that no pattern matches nothing.
func randomPattern(rng *rand.Rand, _ float64) []string {
	pairs := strings.Fields("er re in on st te or en es ar")
	return []string{"[a-z]*" + pairs[rng.IntN(len(pairs))] + "[a-z]*"}
}

// prepare builds the task programs, writes their inputs and cuts these.
func prepare(ctx context.Context, dir string, scale float64) ([]*kind, error) {
	work, err := host.BuildCommand(ctx, dir, "./test/bench/work")
	if err != nil {
		return nil, err
	}
	if err := room(dir, scale); err != nil {
		return nil, err
	}
	in := filepath.Join(dir, "in")
	if err := os.Mkdir(in, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, work, "prepare", in)
	cmd.Env = append(os.Environ(), "GOROOT="+goRoot(ctx))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("work prepare: %w\n%s", err, out)
	}
	kinds := allKinds(in)
	for _, k := range kinds {
		k.command, k.scale = []string{work, k.name}, scale
		if err := k.cut(in); err != nil {
			return nil, err
		}
	}
	return kinds, nil
}

// diskNeeds is what inputs, spills and outputs of a full run take, in bytes.
// The spills go with their tasks, the outputs when the run ends.
const diskNeeds = 8e9

// room says early that the disk is too small: later, tasks would only wait.
func room(dir string, scale float64) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if free, need := float64(disk.Bavail)*float64(disk.Bsize), diskNeeds*scale; free < need {
		return fmt.Errorf("%s has %.1f GB free and the tasks need %.1f: set TMPDIR to a larger disk", dir, free/1e9, need/1e9)
	}
	return nil
}

// goRoot is where the go command that builds the programs has its source.
func goRoot(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return runtime.GOROOT() //nolint:staticcheck // the place of the one that built the bench
	}
	return strings.TrimSpace(string(out))
}

// cut makes splits of equal size of the type's input.
func (k *kind) cut(in string) error {
	if k.input == "" {
		return nil
	}
	path := filepath.Join(in, k.input)
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	files := []spec.File{{Path: path, Size: info.Size(), MTime: info.ModTime().UnixNano()}}
	k.splits = slices.Collect(spec.Splits(files, int64(k.bytes*k.scale), 0))
	return nil
}

// size is the bytes of the type's splits, on average.
func (k *kind) size() int64 {
	sum := int64(0)
	for _, s := range k.splits {
		sum += s.Ranges[0].Length
	}
	return sum / int64(max(len(k.splits), 1))
}

// job is a job of one task: on the next split, if it reads one.
func (k *kind) job(rng *rand.Rand) *spec.Doc {
	stage := spec.DocStage{Name: "task", Command: k.command, Tasks: 1}
	if k.args != nil {
		stage.Command = slices.Concat(k.command, k.args(rng, k.scale))
	}
	if len(k.splits) > 0 {
		stage.Tasks, stage.Splits = 0, []spec.Split{k.splits[k.next%len(k.splits)]}
		stage.Bytes = stage.Splits[0].Ranges[0].Length
		k.next++
	}
	return &spec.Doc{Name: k.name, Type: k.name, Stages: []spec.DocStage{stage}}
}
