// Package build measures what the first build of lull costs, by the modules that it is made of.
package build

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lull/test/report"
	"lull/test/tables"
)

// Table is the benchmark of the first build.
var Table = tables.Table{Name: "build", What: "what the first build costs, by module", Run: run}

// Bounds of the whole: seconds on two cores at rest, and bytes of the binary as a release has it.
const (
	mostSeconds   = 100
	mostMegabytes = 40
)

// few is how many modules a quick run prints.
const few = 10

func run(ctx context.Context, quick bool) (*report.Report, error) {
	dir, err := os.MkdirTemp("", "lull-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	graph, binary := filepath.Join(dir, "graph.json"), filepath.Join(dir, "lull")
	modules, err := modulesOf(ctx)
	if err != nil {
		return nil, err
	}
	cache := "GOCACHE=" + filepath.Join(dir, "cache")
	if quick {
		cache = "" // what is cached costs nothing
	}
	began := time.Now()
	if _, err := golang(ctx, cache, "build", "-debug-actiongraph="+graph, "-o", binary, "lull/cmd/lull"); err != nil {
		return nil, err
	}
	took := time.Since(began).Seconds()
	if _, err := golang(ctx, cache, "build", "-ldflags=-s -w", "-o", binary, "lull/cmd/lull"); err != nil {
		return nil, err
	}
	info, err := os.Stat(binary)
	if err != nil {
		return nil, err
	}
	costs, err := costsOf(graph, modules)
	if err != nil {
		return nil, err
	}
	if quick {
		costs = costs[:min(few, len(costs))]
	}
	r := &report.Report{
		Notes: []string{"Seconds are CPU time of compiling and linking, with an empty build cache (a quick run takes the one at hand). std is Go's own library."},
		Checks: []report.Check{
			report.AtMost("seconds until lull is built", took, mostSeconds),
			report.AtMost("megabytes of the binary, as a release has it", float64(info.Size())/1e6, mostMegabytes),
		},
	}
	for _, c := range costs {
		r.Rows = append(r.Rows, report.Row{{Key: "module", Value: c.module}, {Key: "packages", Value: c.packages}, {Key: "cpu_s", Value: c.seconds}})
	}
	return r, nil
}

// golang runs the go command with one more variable, and returns what it prints.
func golang(ctx context.Context, variable string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = tables.Module()
	if variable != "" {
		cmd.Env = append(os.Environ(), variable)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, said.Bytes())
	}
	return out, nil
}

// modulesOf returns the module of each package that lull is made of.
func modulesOf(ctx context.Context) (map[string]string, error) {
	out, err := golang(ctx, "", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{else}}std{{end}}", "lull/cmd/lull")
	if err != nil {
		return nil, err
	}
	modules := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		modules[path] = module
	}
	return modules, nil
}

// A cost is that of a module's packages.
type cost struct {
	module   string
	packages int
	seconds  float64 // of CPU
}

// costsOf reads the graph of a build's actions, and returns costs by module, the dearest first.
func costsOf(graph string, modules map[string]string) ([]cost, error) {
	text, err := os.ReadFile(graph)
	if err != nil {
		return nil, err
	}
	var actions []struct {
		Mode, Package   string
		CmdUser, CmdSys int64 // nanoseconds
	}
	if err := json.Unmarshal(text, &actions); err != nil {
		return nil, fmt.Errorf("the graph of the build's actions: %w", err)
	}
	by := map[string]cost{}
	for _, a := range actions {
		module := modules[a.Package]
		if a.Mode == "link" {
			module = "(link)"
		}
		if module == "" {
			continue
		}
		c := by[module]
		c.module = module
		if a.Mode == "build" {
			c.packages++
		}
		c.seconds += time.Duration(a.CmdUser + a.CmdSys).Seconds()
		by[module] = c
	}
	costs := make([]cost, 0, len(by))
	for _, c := range by {
		costs = append(costs, c)
	}
	slices.SortFunc(costs, func(a, b cost) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), cmp.Compare(b.packages, a.packages), strings.Compare(a.module, b.module))
	})
	return costs, nil
}
