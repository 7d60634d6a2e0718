// Package documents holds `lull schema`, for people and editors that write job documents.
package documents

import (
	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/subjects/spec"
)

// Commands returns the commands of this family.
func Commands() []*cobra.Command {
	return []*cobra.Command{{
		Use: "schema", Short: "Print the JSON Schema of job documents", Args: cli.ArgCount(0, 0),
		Long: `Print the JSON Schema of job documents, with which editors complete and check them:

  lull schema > job.schema.json

and as the first line of a document beside it:

  # yaml-language-server: $schema=./job.schema.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			body, err := spec.DocumentSchema().JSON()
			if err == nil {
				_, err = cmd.OutOrStdout().Write(body)
			}
			return err
		},
	}}
}
