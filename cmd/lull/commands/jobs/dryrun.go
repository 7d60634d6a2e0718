package jobs

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/client/forecast"
	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/spec"
)

// dryRun asks for the verdict on a job and submits nothing.
func (s *submit) dryRun(cmd *cobra.Command, doc *spec.Doc, path string) error {
	if err := counted(cmd.Context(), doc, path); err != nil {
		return err
	}
	c, err := s.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	f, err := c.Forecast(cmd.Context(), doc)
	if err != nil {
		return err
	}
	if s.format == listing.JSON {
		err = listing.Object(cmd.OutOrStdout(), f)
	} else {
		err = printForecast(s.Out(cmd), forecast.Of(f, time.Now()))
	}
	if err != nil {
		return err
	}
	return asked(f)
}

// counted looks up how many tasks the document makes, on this machine.
func counted(ctx context.Context, doc *spec.Doc, path string) error {
	folder, err := cli.Folder(path)
	if err != nil {
		return err
	}
	if err := client.Count(ctx, doc, folder); err != nil {
		return asWrong(path, err)
	}
	if _, err := doc.Job(); err != nil {
		return asWrong(path, err)
	}
	return nil
}

// asked is the exit code of a forecast: that which submitting would have.
func asked(f *subjects.Forecast) error {
	if f.Verdict == subjects.VerdictRejected {
		return exit.With(exit.Rejected, nil)
	}
	return nil
}
