package jobs

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// specification prints the document of a job as it was accepted.
func (j *job) specification(cmd *cobra.Command, id string) error {
	c, err := j.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	view, err := c.View(cmd.Context())
	if err != nil {
		return err
	}
	found, err := cli.FindIn(view, id)
	if err != nil {
		return err
	}
	doc, err := documentOf(found)
	if err != nil {
		return err
	}
	if j.format == listing.JSON {
		return listing.Object(cmd.OutOrStdout(), doc)
	}
	text, err := commented(doc)
	if err == nil {
		_, err = cmd.OutOrStdout().Write(text)
	}
	return err
}

func documentOf(found *ledger.Job) (*spec.Doc, error) {
	job := found.Spec()
	if len(job.Stages) == 0 {
		return nil, fmt.Errorf("%s ended long ago, and its stages are not kept any more: submit its own file again", found.ID)
	}
	doc, err := spec.Document(job)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", found.ID, err)
	}
	return doc, nil
}

// commented is the document in YAML below its remarks.
func commented(doc *spec.Doc) ([]byte, error) {
	body, err := doc.YAML()
	var b bytes.Buffer
	for _, line := range doc.Remarks() {
		b.WriteString("# " + line + "\n")
	}
	b.Write(body)
	return b.Bytes(), err
}
