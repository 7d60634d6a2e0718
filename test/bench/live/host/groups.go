package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"lull/hostctl/cgroup"
)

// Groups makes the cgroups of a run: siblings of lull's own, so that the kernel weighs them against
// each other as it weighs lull against a service.
type Groups struct {
	caps cgroup.Capabilities
	made []string
}

// NewGroups finds the controllers.
func NewGroups() (*Groups, error) {
	caps, err := cgroup.Detect("/")
	if err != nil {
		return nil, err
	}
	if !caps.Idle.OK() || !caps.Weight.OK() || !caps.CPUTime.OK() {
		return nil, errors.New("this needs cgroups with cpu.idle, weights and CPU times, and the right to make some: run it as root on Linux 5.15 or later (`lull doctor` says what is there)")
	}
	return &Groups{caps: caps}, nil
}

// Add makes a group of the CPU controller.
func (g *Groups) Add(name string) (string, error) {
	dir := filepath.Join(g.caps.Idle.Mount, fmt.Sprintf("lull-bench-%d-%s", os.Getpid(), name))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	g.made = append(g.made, dir)
	return dir, nil
}

// LeastWeight is the smallest weight there is, by version.
var LeastWeight = map[int]string{1: "2", 2: "1"}

// Weigh gives a group a weight.
func (g *Groups) Weigh(dir string, weight map[int]string) error {
	return os.WriteFile(filepath.Join(dir, g.caps.Weight.File), []byte(weight[g.caps.Weight.Version]), 0o644)
}

// Idle puts a group into the idle class.
func (g *Groups) Idle(dir string) error {
	return os.WriteFile(filepath.Join(dir, g.caps.Idle.File), []byte("1"), 0o644)
}

// LullCPU is the CPU time in seconds of all of lull's tasks.
func (g *Groups) LullCPU() (float64, error) {
	dir := filepath.Join(g.caps.CPUTime.Mount, cgroup.Parent)
	if g.caps.CPUTime.Version == 1 {
		text, err := os.ReadFile(filepath.Join(dir, "cpuacct.usage"))
		if err != nil {
			return 0, err
		}
		ns, err := strconv.ParseUint(string(text[:max(len(text)-1, 0)]), 10, 64)
		return float64(ns) / 1e9, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "cpu.stat"))
	if err != nil {
		return 0, err
	}
	var us float64
	_, err = fmt.Sscanf(string(text), "usage_usec %g", &us)
	return us / 1e6, err
}

// Remove removes the Groups, which are empty by now.
func (g *Groups) Remove() (err error) {
	for _, dir := range g.made {
		err = errors.Join(err, os.Remove(dir))
	}
	return err
}
