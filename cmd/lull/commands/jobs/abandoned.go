package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"lull/client"
	"lull/cmd/lull/serve/folder"
)

// abandoned are the jobs of `lull run` processes on one data folder that were killed. The next `lull run` on that
// folder ends them: no process waits for them any more.
type abandoned struct {
	data string // "" if the pool is not that of a data folder
	own  *folder.Run
}

// end cancels the jobs that killed processes left, and says so in one line.
func (a *abandoned) end(ctx context.Context, c *client.Client, out io.Writer) {
	if a.data == "" {
		return
	}
	var ended []string
	for _, left := range folder.Abandoned(a.data, string(c.Pool())) {
		_, err := c.Cancel(ctx, client.Request{Job: left.Job, Why: "its lull run was killed"})
		if err == nil {
			ended = append(ended, left.Job)
		}
		if err == nil || errors.Is(err, client.ErrRefused) { // refused: it has ended by itself
			left.Forget()
		}
	}
	if len(ended) > 0 {
		_, _ = fmt.Fprintf(out, "Ended what a killed lull run had left: %s.\n", strings.Join(ended, ", "))
	}
}

// note records that this process waits for a job. Without the note the job goes on if this process is killed,
// so an error is no reason to refuse it.
func (a *abandoned) note(c *client.Client, job string) {
	if a.data != "" {
		a.own, _ = folder.NoteRun(a.data, string(c.Pool()), job)
	}
}

// ended removes the note, because the job has ended.
func (a *abandoned) ended() { a.own.Forget() }
