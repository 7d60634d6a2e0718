package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"lull/test/bench/live/host"
	"lull/test/bench/live/pool"
	"lull/test/steal"
)

// expense is what was used between two looks: CPU in cores, memory in bytes.
type expense struct {
	agent, shims, primary, others float64 // the agent with what moves the primary's threads
	stolen                        float64 // share of the machine
	resident, each                float64 // of the agent, of a shim: there with its part of what is shared
	count                         int     // shims
}

// account is everything that is counted, at one moment, in CPU seconds.
type account struct {
	at                                 time.Time
	agent, shims, primary, tasks, busy float64
	ticks                              steal.Ticks
	pids                               []int // of the shims
}

// measure measures for some seconds, after the time that it takes until all
// has settled.
func measure(ctx context.Context, p *pool.Pool, seconds float64) (e expense, err error) {
	span := time.Duration(seconds * float64(time.Second))
	if err := host.Wait(ctx, min(span/4, 3*time.Second)); err != nil {
		return e, err
	}
	before, err := readAccount(p)
	if err != nil {
		return e, err
	}
	if err := host.Wait(ctx, span); err != nil {
		return e, err
	}
	after, err := readAccount(p)
	if err != nil {
		return e, err
	}
	return between(p, before, after)
}

func between(p *pool.Pool, before, after account) (e expense, err error) {
	wall := after.at.Sub(before.at).Seconds()
	e.agent, e.shims = (after.agent-before.agent)/wall, (after.shims-before.shims)/wall
	e.primary = (after.primary - before.primary) / wall
	e.others = max((after.busy-before.busy-after.tasks+before.tasks)/wall-e.agent-e.primary, 0)
	e.stolen, e.count = after.ticks.Since(before.ticks), len(after.pids)
	if !slices.Equal(before.pids, after.pids) {
		return e, errors.New("shims came or went while they were measured")
	}
	resident, err := host.Status(p.Agent(), "VmRSS:")
	e.resident = float64(resident)
	for _, pid := range after.pids {
		bytes, gone := proportional(pid)
		e.each, err = e.each+float64(bytes)/float64(e.count), errors.Join(err, gone)
	}
	return e, err
}

func readAccount(p *pool.Pool) (a account, err error) {
	server, users := p.Stage.Tenant.PIDs()
	var errs [8]error
	a.at = time.Now()
	spreads, err := host.Helpers(p.Binary, "spread", p.Stage.Dir)
	a.agent, errs[0] = host.CPUSeconds(append(spreads, p.Agent())...)
	errs[7] = err
	a.primary, errs[1] = host.CPUSeconds(server, users)
	a.pids, errs[2] = host.Helpers(p.Binary, "shim", p.Stage.Dir)
	a.shims, errs[3] = host.CPUSeconds(a.pids...)
	a.tasks, errs[4] = p.Stage.Groups.LullCPU()
	a.busy, errs[5] = host.Busy("/proc/stat")
	a.ticks, errs[6] = steal.Read()
	return a, errors.Join(errs[:]...)
}

// proportional returns the memory of a process, with its part of what it shares with others: a
// shim's program is that of all shims and of the agent.
func proportional(pid int) (bytes int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(text), "\nPss:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, fmt.Errorf("process %d has no Pss", pid)
	}
	kb, err := strconv.ParseInt(fields[0], 10, 64)
	return kb << 10, err
}
