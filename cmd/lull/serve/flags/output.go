package flags

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
)

// Output adds --output.
func Output(cmd *cobra.Command, output *string) {
	cmd.Flags().StringVarP(output, "output", "o", *output, "text or json")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
}

// Print writes v as JSON, or what text returns, as output says.
func Print(w io.Writer, output string, v any, text func() string) error {
	switch output {
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(v)
	case "text":
		_, err := fmt.Fprintln(w, text())
		return err
	}
	return exit.With(exit.Usage, fmt.Errorf("--output %q: use text or json", output))
}
