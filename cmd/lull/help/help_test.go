package help

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func tree() *cobra.Command {
	root := &cobra.Command{Use: "lull"}
	none := func(*cobra.Command, []string) {}
	jobs := &cobra.Command{Use: "jobs", Short: "List jobs", Long: "List jobs.", Run: none}
	jobs.Flags().String("state", "", "only these")
	jobs.Flags().String("nats", "", "server")
	Connection.In(jobs.Flags(), "nats")
	JSON(jobs, "An array of id\nand name.")
	root.AddCommand(jobs, &cobra.Command{Use: "run", Short: "Run a job", Run: none}, &cobra.Command{Use: "stray", Short: "In no group", Run: none})
	Install(root)
	return root
}

func printHelp(t *testing.T, args ...string) string {
	t.Helper()
	var out strings.Builder
	root := tree()
	root.SetOut(&out)
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// in reports whether the parts stand in text in this order.
func in(text string, parts ...string) bool {
	for _, part := range parts {
		_, after, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = after
	}
	return true
}

func TestCommandsStandInGroups(t *testing.T) {
	text := printHelp(t, "--help")
	if !in(text, "Run and submit jobs:", "\n  run ", "Watch jobs:", "\n  jobs ", "Commands:", "\n  stray ", "Topics:", "help json", "help words") {
		t.Errorf("lull --help printed\n%s\nwant the commands in their groups, then the topics", text)
	}
}

func TestFlagsStandInSectionsAfterTheOthers(t *testing.T) {
	text := printHelp(t, "jobs", "--help")
	if !in(text, "lull help json", "\nFlags:\n", "--state", "\nConnection:\n", "--nats") {
		t.Errorf("lull jobs --help printed\n%s\nwant the section Connection after the other flags", text)
	}
}

func TestJSONFieldsStandInTheirTopic(t *testing.T) {
	if text := printHelp(t, "help", "json"); !in(text, "\nlull jobs\n  An array of id\n  and name.\n") {
		t.Errorf("lull help json printed\n%s\nwant the fields of lull jobs", text)
	}
	if text := printHelp(t, "jobs", "--help"); strings.Contains(text, "An array of id") {
		t.Errorf("lull jobs --help printed\n%s\nwant the fields of its JSON in their topic alone", text)
	}
}

func TestHelpIsWrappedButForSamples(t *testing.T) {
	const long = `Long lines of a paragraph that were written for a terminal of ninety columns are
wrapped anew, and their words stay.

  TERM   what it means, in a line that is as long as those of a paragraph are, and
         then goes on in the next one
  OTHER  short

  switches:
    - {name: east, rate: 40Gbit/s, comment: samples of files are never wrapped, however long}`
	const want = `Long lines of a paragraph that were written for a terminal of ninety columns are
wrapped anew, and their words stay.

  TERM   what it means, in a line that is as long as those of a paragraph are,
         and then goes on in the next one
  OTHER  short

  switches:
    - {name: east, rate: 40Gbit/s, comment: samples of files are never wrapped, however long}`
	if got := reflow(long); got != want {
		t.Errorf("reflow() =\n%s\nwant\n%s", got, want)
	}
	if again := reflow(want); again != want {
		t.Errorf("reflow() of its own result =\n%s\nwant\n%s", again, want)
	}
}
