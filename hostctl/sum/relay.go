package sum

import (
	"fmt"
	"os"
	"os/exec"

	"lull/hostctl/cgroup"
)

// runInBackground starts this program once more in groups of the background, and ends with it.
//
// The agent does not do that itself. Beside a primary that wants every core, a process born there
// may wait seconds for the CPU to exec another program. Until then the process that starts it can
// start nothing else, such as a shim.
func runInBackground(args []string, in cgroup.Groups) int {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cgroup.Start(cmd, in); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return cmd.ProcessState.ExitCode()
}

// formatGroups writes groups as parseGroups reads them: the v2 one, or "", and the others.
func formatGroups(in cgroup.Groups) []string {
	if in.Unified == "" && len(in.Joins) == 0 {
		return nil
	}
	return append([]string{in.Unified}, in.Joins...)
}

func parseGroups(args []string) cgroup.Groups {
	if len(args) == 0 {
		return cgroup.Groups{}
	}
	return cgroup.Groups{Unified: args[0], Joins: args[1:]}
}
