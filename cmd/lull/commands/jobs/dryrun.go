package jobs

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/client/forecast"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/subjects"
	"lull/subjects/spec"
)

// dryRun asks for the verdict on a job and submits nothing.
func (s *submit) dryRun(cmd *cobra.Command, doc *spec.Doc, path string) error {
	if err := countTasks(cmd.Context(), doc, path); err != nil {
		return err
	}
	c, err := s.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	if err := findOthers(cmd.Context(), c, doc); err != nil {
		return asFileError(path, err)
	}
	if err := s.checkOutput(foldOnDemand(cmd.Context(), c), doc); err != nil {
		return asFileError(path, err)
	}
	f, err := c.Forecast(cmd.Context(), doc)
	if err == nil && f.Again > 0 {
		f, err = c.Settled(cmd.Context(), doc)
	}
	if err != nil {
		return err
	}
	f.Plan = planOf(cmd, c, doc)
	return printDryRun(cmd, f, s.format == listing.JSON, s.Out(cmd))
}

// dryRun asks for the verdict on a job where it would run: in the services of this process, once
// these know their host, or in a pool that is up.
func (r *run) dryRun(cmd *cobra.Command, doc *spec.Doc, path string) error {
	if err := countTasks(cmd.Context(), doc, path); err != nil {
		return err
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	session, err := r.openSession(on, silent{cmd.ErrOrStderr()})
	if err != nil {
		return err
	}
	f, err := session.client.Settled(on.Asked, doc)
	if err == nil {
		r.mayDeliver, r.ownAgent = true, session.local != nil
		err = asFileError(path, r.checkOutput(foldOnDemand(on.Asked, session.client), doc))
	}
	if interrupted(on.Asked) {
		err = exit.With(exit.Interrupted, nil)
	} else if err == nil {
		err = printDryRun(cmd, f, r.json, r.Out(cmd))
	}
	return errors.Join(err, session.close(on, cmd.ErrOrStderr()))
}

// printDryRun prints a forecast. The error has the exit code that submitting would have.
func printDryRun(cmd *cobra.Command, f *subjects.Forecast, json bool, out io.Writer) (err error) {
	if json {
		err = listing.Object(cmd.OutOrStdout(), f)
	} else {
		err = printForecast(out, forecast.Of(f, time.Now()))
		if err == nil && f.Plan != nil {
			_, err = io.WriteString(out, "\n"+planText(f.Plan))
		}
	}
	if err != nil {
		return err
	}
	if f.Verdict == subjects.VerdictRejected {
		return exit.With(exit.Rejected, nil)
	}
	return nil
}

// countTasks fills in how many tasks the document makes, by the files of this machine.
func countTasks(ctx context.Context, doc *spec.Doc, path string) error {
	folder, err := cli.Folder(path)
	if err != nil {
		return err
	}
	if err := client.Count(ctx, doc, folder); err != nil {
		return asFileError(path, err)
	}
	if _, err := doc.Job(); err != nil {
		return asFileError(path, err)
	}
	return nil
}
