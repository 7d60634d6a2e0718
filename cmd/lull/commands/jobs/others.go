package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/cmd/lull/exit"
	"lull/subjects/spec"
)

// others are the flags that say how a job stands to other jobs.
type others struct {
	after     []string
	ifRunning string
}

func (o *others) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&o.after, "after", nil, "run after this job: JOB once it has finished, JOB:failed once it has failed, JOB:any once it has ended; it can be repeated")
	f.StringVar(&o.ifRunning, "if-running", "", "what becomes of the job if another one of its name is open: skip (it is rejected), queue (it runs after that), replace (that is cancelled)")
}

// set gives a document what the flags say, beside the jobs that it names itself.
func (o *others) set(doc *spec.Doc) error {
	for _, text := range o.after {
		if _, err := spec.ParseAfterJob(text); err != nil {
			return exit.With(exit.Usage, fmt.Errorf("--after: %w", err))
		}
	}
	doc.AfterJob = append(doc.AfterJob, o.after...)
	if o.ifRunning != "" && !slices.Contains(spec.IfRunnings(), o.ifRunning) {
		return exit.With(exit.Usage, fmt.Errorf("--if-running %q: write skip, queue or replace", o.ifRunning))
	}
	if o.ifRunning != "" {
		doc.IfRunning = o.ifRunning
	}
	return nil
}

// findOthers replaces beginnings of ids in after_job by the ids. An id that is not known stays as it is: admission
// may not have looked at that job yet, and says so otherwise.
func findOthers(ctx context.Context, c *client.Client, doc *spec.Doc) error {
	for i, text := range doc.AfterJob {
		after, err := spec.ParseAfterJob(text)
		if err != nil {
			return doc.Errorf(fmt.Sprintf("after_job[%d]", i), "%v", err)
		}
		found, err := c.Job(ctx, after.Job)
		switch {
		case errors.Is(err, client.ErrNoJob):
			continue
		case errors.Is(err, client.ErrSeveral):
			return exit.With(exit.Usage, fmt.Errorf("after_job: %w", err))
		case err != nil:
			return err
		}
		after.Job = found.Job
		doc.AfterJob[i] = after.String()
	}
	return nil
}
