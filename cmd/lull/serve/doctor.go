package serve

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/room"
	"lull/hostctl"
)

// Report is what `lull doctor` finds out.
type Report struct {
	Build  Build          `json:"build"`
	Host   hostctl.Report `json:"host"`
	Checks []Check        `json:"checks"`
}

// Check is one thing that must be well for lull to work.
type Check struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func doctorCommand() *cobra.Command {
	var (
		server Server
		host   HostConfig
		data   string
	)
	output := "text"
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say how the primary is protected here, how tasks are contained, and what is missing", Args: noArgs,
		Long: `Say how the primary is protected from batch work on this machine, how tasks of
an agent that you start are contained, what each mechanism that is missing costs,
whether there is room to work, and whether NATS
can be reached. It reports and does not judge: the exit code is 0 whatever it
finds; "ok" of the checks is what scripts look at.

--output json prints an object with build, host (capabilities with the cgroup
file that carries each, containment (bound, present, text), cores, memory, disk,
pressure) and checks (what, ok, text).`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := examine(server, host, data)
			if err != nil {
				return err
			}
			return show(cmd.OutOrStdout(), output, report, report.String)
		},
	}
	server.Flags(cmd.Flags())
	cmd.Flags().StringVar(&data, "data", folder.Default(), "data folder ($LULL_DATA)")
	containFlags(cmd.Flags(), &host)
	outputFlag(cmd, &output)
	return cmd
}

func examine(server Server, host HostConfig, data string) (Report, error) {
	found, err := hostctl.Doctor(hostctl.Config{
		Data: data, Contain: host.Contain, TaskUser: host.TaskUser, TaskWrite: host.TaskWrite,
	})
	if err != nil {
		return Report{}, fmt.Errorf("look at this host: %w", err)
	}
	return Report{ThisBuild(), found, []Check{roomFor(found), reach(server, data)}}, nil
}

func roomFor(host hostctl.Report) Check {
	if host.DiskFree < room.DefaultFloor {
		return Check{"room to work", false, fmt.Sprintf("nothing is written below %d MB free", room.DefaultFloor>>20)}
	}
	return Check{"room to work", true, "there is free space in " + host.Disk}
}

// String is the report for people.
func (r Report) String() string {
	var b strings.Builder
	b.WriteString(r.Build.String() + "\n" + r.Host.String())
	for _, check := range r.Checks {
		mark := "yes"
		if !check.OK {
			mark = "no "
		}
		fmt.Fprintf(&b, "%-14s %s  %s\n", check.What, mark, check.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
