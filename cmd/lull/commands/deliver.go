package commands

import (
	"context"
	"fmt"
	"io"

	"lull/cmd/lull/client"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// deliver refuses an output folder that this machine's agent could not write to, before the job's
// tasks run for nothing. `lull run` delivers there itself instead, as whoever runs it.
func (d *document) deliver(hosts pool, doc *spec.Doc) error {
	if doc.Output == "" {
		return nil
	}
	state, err := hosts()
	if err != nil {
		return err
	}
	user, folder, ok := client.Publisher(state, doc)
	switch {
	case ok:
		return nil
	case d.carries:
		d.carry, doc.Output = doc.Output, ""
		return nil
	}
	return doc.Errorf("output", "%s, who publishes on this machine, may not write to %s: let that user write there, "+
		"or leave `output:` out and fetch the results with `lull outputs JOB --to DIR`, or use `lull run`, which writes as you", user, folder)
}

// pool is the ledger of one, which takes a while to fold: only what needs it calls.
type pool func() (*ledger.State, error)

// folded is the pool's ledger, from its log.
func folded(ctx context.Context, c *client.Client) pool {
	return func() (*ledger.State, error) {
		view, err := c.View(ctx)
		if err != nil {
			return nil, err
		}
		return view.State, nil
	}
}

// carryOut brings the results of a job that has finished to its output folder, if nobody else does.
func (d *document) carryOut(ctx context.Context, c *client.Client, view *client.View, j *ledger.Job, out io.Writer) error {
	if d.carry == "" || j.Phase != ledger.Finished {
		return nil
	}
	err := c.Deliver(ctx, view.State, j, d.carry)
	if err == nil {
		_, err = fmt.Fprintln(out, "Results: "+d.carry)
	}
	return err
}
