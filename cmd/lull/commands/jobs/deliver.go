package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/actors/account"
	"lull/client"
	"lull/client/publish"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/exit"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// document is the job file of a command that submits it.
type document struct {
	cli.Document
	// mayDeliver allows this process to deliver the results where the agent may not write;
	// deliverTo is then the folder. ownAgent says that the agent is in this process.
	mayDeliver bool
	ownAgent   bool
	deliverTo  string
	replace    bool // without keeping what was there

	overwrite bool // --replace
}

// replaceFlag adds the flag by which results of other jobs are removed.
func (d *document) replaceFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&d.overwrite, "replace", false, "remove results of another job that stand in output:, in place of keeping them in STAGE.previous")
}

// decideReplace applies the flag to a document.
func (d *document) decideReplace(doc *spec.Doc) error {
	if d.overwrite && doc.Output == "" {
		return exit.With(exit.Usage, errors.New("--replace is about results in a folder, and the file has no output: leave the flag out"))
	}
	doc.Replace = doc.Replace || d.overwrite
	return nil
}

// checkOutput checks, before the job runs in vain, that the output folder can be one and that this machine's
// tasks may write to it. `lull run` delivers there itself instead, with the rights of its user.
func (d *document) checkOutput(hosts foldLog, doc *spec.Doc) error {
	if doc.Output == "" {
		return nil
	}
	state, err := hosts()
	if err != nil {
		return err
	}
	user, folder, ok := client.Publisher(state, doc)
	if user != "" || d.ownAgent { // this machine publishes
		if err := publish.Possible(doc.Output); err != nil {
			return doc.Errorf("output", "%s", err)
		}
	}
	switch {
	case d.mayDeliver && (d.ownAgent || !ok):
		return d.checkOwnRights(doc, !ok)
	case ok:
		return nil
	}
	return doc.Errorf("output", "%s, the user that publishes on this machine, may not write to %s: let that user write there, "+
		"or leave `output:` out and fetch the results with `lull outputs JOB --to DIR`, or use `lull run`, which writes as you", user, folder)
}

// checkOwnRights returns an error if this process's user may not write to the output folder. If it may and the
// agent does not, this process delivers the results.
func (d *document) checkOwnRights(doc *spec.Doc, instead bool) error {
	me, err := account.ParseNumber(account.User{}.Number())
	if err != nil {
		return err
	}
	if folder, ok := me.CanWrite(doc.Output); !ok {
		return doc.Errorf("output", "%s may not write to %s: choose a folder where that user may, "+
			"or leave `output:` out and fetch the results with `lull outputs JOB --to DIR`", me.Name(), folder)
	}
	if instead {
		d.deliverTo, d.replace = doc.Output, doc.Replace
		doc.Output, doc.Replace = "", false
	}
	return nil
}

// foldLog returns a pool's ledger. Folding it takes a while, so it is called only where needed.
type foldLog func() (*ledger.State, error)

// foldOnDemand is the pool's ledger, from its log.
func foldOnDemand(ctx context.Context, c *client.Client) foldLog {
	return func() (*ledger.State, error) {
		view, err := c.View(ctx)
		if err != nil {
			return nil, err
		}
		return view.State, nil
	}
}

// deliver delivers the results of a finished job to its output folder, if the agent does not.
func (d *document) deliver(ctx context.Context, c *client.Client, view *client.View, j *ledger.Job, out io.Writer) error {
	if d.deliverTo == "" || j.Phase != ledger.Finished {
		return nil
	}
	replaced, err := c.Deliver(ctx, view.State, j, d.deliverTo, !d.replace)
	if err != nil {
		return err
	}
	for _, r := range replaced {
		if _, err := fmt.Fprintf(out, "It %s.\n", r); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out, "Results: "+d.deliverTo)
	return err
}
