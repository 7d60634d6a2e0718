package jobs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// refresh is what lull retry does with inputs that changed since the job was submitted.
type refresh struct {
	wanted bool
	files  client.Files
}

func (r *refresh) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&r.wanted, "refresh", false, "read inputs and sent files as they are now; of what is done, only tasks run again that read what changed")
	cmd.Flags().StringVar(&r.files.Folder, "folder", ".", "with --refresh: the folder of the job's document, which its sent files: are in")
	cmd.Flags().BoolVar(&r.files.Keep, "keep-files", false, "with --refresh: leave the sent files: as they were")
}

// pins returns what a retry of the job pins anew, and a line that says what it does again.
func (r *refresh) pins(ctx context.Context, c *client.Client, s *ledger.State, job string) ([]subjects.Repinned, string, error) {
	j := s.Job(job)
	if !r.wanted || j == nil {
		return nil, "", nil
	}
	files := r.files
	var err error
	if files.Folder, err = filepath.Abs(files.Folder); err != nil {
		return nil, "", err
	}
	pins, what, err := client.Refresh(ctx, c, s, j, files)
	if err != nil {
		return nil, "", err
	}
	here, _ := os.Getwd() // paths are shown in full if it is unknown
	text, err := doesAgain(j, pins, what, here)
	return pins, text, err
}

// doesAgain says what a retry with these pins runs: "parse: 1 of 200 tasks again, in/f137.json changed; merge again".
func doesAgain(j *ledger.Job, pins []subjects.Repinned, what map[uint32]string, here string) (string, error) {
	if len(pins) == 0 {
		return "no input changed: only what is not done runs again", nil
	}
	job, named, err := subjects.Repin(j.Spec(), pins)
	if err != nil {
		return "", err
	}
	again, ok := ledger.TasksAgain(job, named)
	if !ok {
		return "", fmt.Errorf("%s: the inputs do not fit the job's stages: submit its document as a new job", j.ID)
	}
	var parts []string
	for i := range job.Stages {
		if part := stageAgain(j.Stages[i], &job.Stages[i], again[i], strings.ReplaceAll(what[uint32(i)], here+"/", "")); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; "), nil
}

// stageAgain says which tasks of a stage run, "" for none.
func stageAgain(st *ledger.Stage, of *spec.Stage, again ledger.TaskSet, why string) string {
	changed, unfinished := len(again), 0
	for i := range uint32(st.Len()) {
		state, _, _ := st.Task(i)
		if _, counted := again[i]; !counted && state != ledger.Done {
			unfinished++
		}
	}
	var text string
	switch {
	case of.Publish || changed+unfinished == 0:
		return ""
	case !st.Begun():
		return "then " + of.Name
	case changed == 0:
		return fmt.Sprintf("%s: %d of %d tasks, which are not done", of.Name, unfinished, st.Len())
	case st.Len() == 1 && why == "":
		return of.Name + " again"
	default:
		text = fmt.Sprintf("%s: %d of %d tasks again", of.Name, changed, st.Len())
	}
	if why != "" {
		text += ", " + why
	}
	if unfinished > 0 {
		text += fmt.Sprintf(", and %d that are not done", unfinished)
	}
	return text
}
