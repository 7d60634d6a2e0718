package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// NoLimit is a most of wants: any number.
const NoLimit = -1

// ArgCount checks that a command gets between least and most arguments, and says
// in the words of its usage line what is missing.
func ArgCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		_, names, _ := strings.Cut(cmd.Use, " ")
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing", names)
		case most == 0 && len(args) > 0:
			return fmt.Errorf("`%s` takes no arguments, and %q is one", cmd.CommandPath(), args[0])
		case most != NoLimit && len(args) > most:
			return fmt.Errorf("`%s` takes one %s, and %q is one more", cmd.CommandPath(), strings.Trim(names, "[]"), args[most])
		}
		return nil
	}
}
