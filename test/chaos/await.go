package chaos

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// pause is the interval of polling for an event that no message announces.
const pause = 50 * time.Millisecond

// connect retries until the server answers, because a fault may have stopped it.
func (f *fleet) connect(ctx context.Context) (*client.Client, error) {
	for {
		c, err := f.tryConnect(ctx)
		if err == nil {
			return c, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("connect to the fleet: %w", err)
		case <-time.After(pause):
		}
	}
}

func (f *fleet) tryConnect(ctx context.Context) (*client.Client, error) {
	nc, err := nats.Connect(f.endpoint())
	if err != nil {
		return nil, err
	}
	c, err := client.Open(ctx, nc, subjects.DefaultPool)
	if err != nil {
		nc.Close()
	}
	return c, err
}

// submit submits the job of a document and returns its id. It waits until the server can be reached.
func (f *fleet) submit(ctx context.Context, document string) (string, error) {
	c, err := f.connect(ctx)
	if err != nil {
		return "", err
	}
	defer c.Close()
	doc, err := spec.Parse([]byte(document))
	if err != nil {
		return "", err
	}
	id := client.NewID()
	if err := c.Expand(ctx, doc, f.dir); err != nil {
		return "", err
	}
	return c.Submit(ctx, doc, id)
}

// inject carries out the faults, one after the other: it kills each victim, waits, and starts it again.
func (f *fleet) inject(ctx context.Context, faults []fault) error {
	for _, x := range faults {
		if err := wait(ctx, x.after); err != nil {
			return err
		}
		f.kill(x.victim)
		if err := wait(ctx, x.down); err != nil {
			return err
		}
		if err := f.start(x.victim); err != nil {
			return err
		}
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// await follows the log until cond is true of the job.
func (f *fleet) await(ctx context.Context, id string, cond func(*ledger.Job) bool) error {
	c, err := f.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	view, err := c.View(ctx)
	if err != nil {
		return err
	}
	reached := func() bool { j := view.State.Job(id); return j != nil && cond(j) }
	if err := view.Until(ctx, reached); err != nil {
		return fmt.Errorf("waiting for job %s: %w", id, err)
	}
	return nil
}

// committedOnce returns an error unless the job finished and each of its tasks committed its output exactly
// once. It applies the whole log to an empty ledger.
func (f *fleet) committedOnce(ctx context.Context, id string) error {
	state, commits := ledger.New(), map[subjects.TaskID]int{}
	err := f.entries(ctx, func(e actors.Entry) {
		if state.Apply(e.Seq, e.Time, e.Event).Outcome == ledger.Committed {
			commits[e.Event.(*subjects.Finished).TaskID]++
		}
	})
	if err != nil {
		return err
	}
	j := state.Job(id)
	if j == nil || j.Phase != ledger.Finished {
		return fmt.Errorf("job %s = %+v, want finished", id, j)
	}
	if len(commits) != int(j.Totals.Tasks) {
		return fmt.Errorf("tasks with a committed output = %d, want %d", len(commits), j.Totals.Tasks)
	}
	for task, n := range commits {
		if n != 1 {
			return fmt.Errorf("commits of task %v = %d, want 1", task, n)
		}
	}
	return nil
}

// entries calls each with the log's entries, from the first one to the one that is last at the time of the
// call.
func (f *fleet) entries(ctx context.Context, each func(actors.Entry)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	nc, err := nats.Connect(f.endpoint())
	if err != nil {
		return err
	}
	defer nc.Close()
	bus, err := jetstream.Attach(ctx, nc, subjects.DefaultPool)
	if err != nil {
		return err
	}
	info, err := bus.Log(ctx)
	if err != nil {
		return err
	}
	log, err := bus.Follow(ctx, 1, "")
	if err != nil {
		return err
	}
	for d := range log {
		event, err := subjects.Decode(subjects.DefaultPool, d.Subject, d.Body)
		if err != nil && !d.Skippable(err) {
			return fmt.Errorf("entry %d: %w", d.Seq, err)
		}
		if err == nil {
			each(actors.Entry{Seq: d.Seq, Time: d.Time, Event: event})
		}
		if d.Seq == info.Last {
			return nil
		}
	}
	return fmt.Errorf("the log ended before entry %d", info.Last)
}
