package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const jsonFields = "lull_json"

// JSON keeps what a command prints with --output json for `lull help json`. Its own help
// names that topic.
func JSON(cmd *cobra.Command, fields string) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[jsonFields] = strings.TrimSpace(fields)
	cmd.Long = strings.TrimSpace(cmd.Long) + "\n\n--output json is for programs: `lull help json` lists its fields."
}

// fields is the topic that lists the fields of each command below root.
func fields(root *cobra.Command) *cobra.Command {
	var b strings.Builder
	b.WriteString("These commands print JSON with --output json. Times are in RFC 3339, durations in\n" +
		"seconds, sizes in bytes. A value that is not known is null or left out.\n")
	all := slices.Clone(root.Commands())
	for _, cmd := range all {
		if text := cmd.Annotations[jsonFields]; text != "" {
			fmt.Fprintf(&b, "\n%s\n  %s\n", cmd.CommandPath(), strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	return &cobra.Command{Use: "json", Short: "The fields that commands print with --output json", Long: b.String()}
}
