package wired

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
)

// outcome is what was measured of a job.
type outcome struct {
	hosts               []string
	predicted, measured float64 // seconds from the first task given away to the end of the last
	shuffle             float64 // seconds in which uplinks moved data
	share               float64 // of the links' bound, used meanwhile
	crossed             float64 // bytes over uplinks
	machine, pool       float64 // cores in use, and cores that the pool's processes and tasks had
	text                string
}

// bench is what jobs run on.
type bench struct {
	*fleet
	*counters
	view  *client.View
	tasks float64 // CPU seconds of tasks
}

// run runs a job alone, once the links are quiet.
func (b *bench) run(ctx context.Context, doc *spec.Doc) (o *outcome, err error) {
	if err := b.quiet(ctx); err != nil {
		return nil, err
	}
	use, err := b.begin()
	if err != nil {
		return nil, err
	}
	watch, stop := context.WithCancel(ctx)
	type followed struct {
		all []sample
		err error
	}
	done := make(chan followed, 1)
	go b.raisePriorities(watch)
	go func() {
		runtime.LockOSThread()
		_ = raise(0) // else it reads later
		all, err := b.follow(watch)
		done <- followed{all, err}
	}()
	o, err = b.await(ctx, doc)
	stop()
	links := <-done
	if err := errors.Join(err, links.err); err != nil {
		return nil, err
	}
	o.shuffle, o.share, o.crossed = shuffled(links.all)
	o.machine, o.pool, err = use.end()
	return o, err
}

// await submits a job and reads the log until it has finished.
func (b *bench) await(ctx context.Context, doc *spec.Doc) (*outcome, error) {
	o := &outcome{}
	var began, ended time.Time
	sorted := map[uint32]int64{} // bytes by task, because a task may have two attempts
	b.view.Each = func(e client.Entry) {
		switch fact := e.Event.(type) {
		case *subjects.Placed:
			o.predicted, o.text = fact.Seconds, fact.Why
			for _, h := range fact.Hosts {
				o.hosts = append(o.hosts, h.Host)
			}
		case *subjects.Assigned:
			if began.IsZero() {
				began = e.Time
			}
		case *subjects.Finished:
			b.tasks += fact.CPU
			if ended = e.Time; fact.Stage == 1 {
				sorted[fact.Task] = fact.Out
			}
		}
	}
	id, err := b.Submit(ctx, doc, client.NewID())
	if err != nil {
		return nil, err
	}
	if err := b.view.Until(ctx, host.Ended(b.view, id)); err != nil {
		return nil, err
	}
	j := b.view.State.Job(id)
	if j.Phase != ledger.Finished {
		return nil, fmt.Errorf("the sort ended as %s: %s", j.Phase, j.Text)
	}
	wrote := int64(0)
	for _, bytes := range sorted {
		wrote += bytes
	}
	if whole := doc.Stages[0].Bytes * tasks; wrote != whole {
		return nil, fmt.Errorf("the reduces wrote %d of %d bytes", wrote, whole)
	}
	o.measured = ended.Sub(began).Seconds()
	return o, nil
}

// quiet waits until the uplinks' whole declared rates count as free. Traffic of the last ten seconds counts as a
// primary's, unless the agents moved it themselves.
func (b *bench) quiet(ctx context.Context) error {
	const idle = 0.98
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("the links were not quiet within a minute"))
	defer cancel()
	for {
		links, err := b.Links(ctx, false)
		if err != nil {
			return err
		}
		left, hosts := 1.0, uint32(0)
		for _, r := range links.Racks {
			hosts += r.Hosts
			left = math.Min(left, math.Min(r.UpLeft/r.Up, r.DownLeft/r.Down))
		}
		if left >= idle && hosts == racks*perRack {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d hosts are there, and a link has %.0f %% left: %w", hosts, racks*perRack, 100*left, context.Cause(ctx))
		case <-time.After(time.Second):
		}
	}
}

// usage is CPU time that was used until now, in seconds.
type usage struct {
	b             *bench
	at            time.Time
	machine, pool float64
}

func (b *bench) begin() (u usage, err error) {
	u = usage{b: b, at: time.Now(), pool: b.cpu().Seconds() + b.tasks}
	u.machine, err = host.Busy("/proc/stat")
	return u, err
}

// end returns the cores that the machine and the pool used.
func (u usage) end() (machine, pool float64, err error) {
	now, err := u.b.begin()
	seconds := now.at.Sub(u.at).Seconds()
	return (now.machine - u.machine) / seconds, (now.pool - u.pool) / seconds, err
}

// cores is what the machine has.
func cores() float64 { return float64(runtime.NumCPU()) }

// probe says what agents measure of the links, each way.
func (b *bench) probe(ctx context.Context) (string, error) {
	if err := b.quiet(ctx); err != nil {
		return "", err
	}
	probes, _, err := client.Probes(b.view.State)
	if err != nil {
		return "", err
	}
	for i := range probes {
		if probes[i].Measure(ctx, b.Client, b.view.State); probes[i].Error != "" {
			return "", errors.New(probes[i].Error)
		}
	}
	text := "lull topology measure, Mbit/s of each uplink:"
	for _, m := range client.Judge(b.view.State, probes) {
		text += fmt.Sprintf(" %s %s %.0f of %.0f (%s);", m.Rack, m.Way, m.Measured*8e-6, m.Declared*8e-6, m.Verdict)
	}
	return text, nil
}
