package jobs

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"

	"lull/client"
	"lull/client/story"
	"lull/subjects/ledger"
)

// tail prints the logs of attempts while they run, several at once, line by
// line.
type tail struct {
	logs  *logs
	from  *client.Client
	ctx   context.Context
	state *ledger.State
	job   *ledger.Job

	attempts story.Attempts
	seen     map[uint64]bool
	running  sync.WaitGroup
	out      *whole
}

// live prints what the chosen attempts write until the job ends.
func (l *logs) live(ctx context.Context, c *client.Client, view *client.View, j *ledger.Job, chosen chosen, out io.Writer) error {
	t := &tail{logs: l, from: c, ctx: ctx, state: view.State, job: j, seen: map[uint64]bool{}, out: &whole{w: out}}
	history, err := c.History(ctx, j.ID)
	if err != nil {
		return err
	}
	for _, entry := range history {
		t.attempts.Add(entry)
	}
	for _, a := range chosen.among(t.attempts.List) {
		t.start(a)
	}
	view.Each = func(e client.Entry) {
		if !e.Of(c.Pool(), j.ID) {
			return
		}
		if a := t.attempts.Add(e.Entry); a != nil && chosen.wants(a) {
			t.start(a)
		}
	}
	err = view.Until(ctx, func() bool { return j.Phase.Ended() })
	t.running.Wait()
	return err
}

// start prints the log of an attempt that has begun, once.
func (t *tail) start(a *story.Attempt) {
	if !a.Began || t.seen[a.ID] {
		return
	}
	t.seen[a.ID] = true
	host, prefix := t.state.Host(a.Host), label(t.job, a)+" | "
	t.running.Go(func() {
		body, err := t.from.Log(t.ctx, host, a.ID, t.logs.stream(), true)
		if err == nil {
			err = prefixed(t.out, body, prefix)
			_ = body.Close()
		}
		if err != nil && t.ctx.Err() == nil {
			_, _ = fmt.Fprintf(t.out, "%s(%v)\n", prefix, err)
		}
	})
}

// whole writes what several write at the same time, each piece in one go.
type whole struct {
	sync.Mutex
	w io.Writer
}

func (w *whole) Write(b []byte) (int, error) {
	w.Lock()
	defer w.Unlock()
	return w.w.Write(b)
}

// prefixed copies lines with a prefix; a line of many megabytes goes in pieces.
func prefixed(out io.Writer, body io.Reader, prefix string) error {
	lines := bufio.NewReaderSize(body, 64<<10)
	for {
		line, _, err := lines.ReadLine()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s%s\n", prefix, line); err != nil {
			return err
		}
	}
}
