package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"lull/subjects/spec"
)

// atOnce is the value of -j: how many tasks of a job run at once at most, 0 for what its file says.
type atOnce uint32

func (n *atOnce) String() string {
	if *n == 0 {
		return ""
	}
	return strconv.FormatUint(uint64(*n), 10)
}

func (n *atOnce) Set(text string) error {
	number, err := strconv.ParseUint(text, 10, 32)
	if err != nil || number == 0 || number > spec.MaxTasks {
		return fmt.Errorf("it is no number of tasks: give one from 1 on, or leave it out, and as many run as the idle CPU allows")
	}
	*n = atOnce(number)
	return nil
}

func (n *atOnce) Type() string { return "number" }

// AtOnceFlag adds the flag that bounds how many tasks of the job run at once.
func (d *Document) AtOnceFlag(cmd *cobra.Command) {
	cmd.Flags().VarP(&d.atOnce, "at-once", "j", "how many tasks of the job run at once at most, in place of the file's at_once:")
}

// SetAtOnce gives a document the bound of the flag, if there is one.
func (d *Document) SetAtOnce(doc *spec.Doc) {
	if d.atOnce > 0 {
		doc.AtOnce = uint32(d.atOnce)
	}
}
