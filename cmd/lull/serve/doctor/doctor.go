// Package doctor is `lull doctor`: what this machine offers and what it lacks.
package doctor

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/build"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/service"
	"lull/cmd/lull/serve/volume"
	"lull/cmd/lull/terminal"
	"lull/hostctl"
	hostdoctor "lull/hostctl/doctor"
	"lull/hostctl/measure"
)

// Report is what `lull doctor` finds out.
type Report struct {
	Build  build.Info        `json:"build"`
	Host   hostdoctor.Report `json:"host"`
	Checks []Check           `json:"checks"`
	// Measured is what --measure saw, nil without it or if it could not be done.
	Measured *measure.Result `json:"measured,omitempty"`
}

// Check is one thing that must be well for lull to work.
type Check struct {
	What string `json:"what"`
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

// Command returns the command.
func Command() *cobra.Command {
	var (
		server dial.Server
		host   service.HostConfig
		pool   string
		data   string
		try    trial
	)
	output := "text"
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check how this machine can protect its primary and contain tasks", Args: flags.NoArgs,
		Long: `Check how well this machine can protect its primary and contain tasks, what each
missing mechanism costs, whether there is room to work, whether NATS can be reached,
and whether the server proves users' names and admission relies on that. The exit
code is 0 whatever it finds; scripts read "ok" of the checks.

--measure tries the protection: for six seconds a small server uses 30 % of the
machine, alone and then beside a busy loop on each core that runs as tasks do. It
prints how long requests take in both cases. It needs no agent and no rights, and
leaves nothing behind. The machine should not be busy otherwise. What an agent's
guard adds is not measured.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := examineHost(server, host, pool, data)
			if err == nil {
				err = try.run(cmd.Context(), &report)
			}
			if err != nil {
				return err
			}
			return flags.Print(cmd.OutOrStdout(), output, report, func() string {
				return terminal.Hang(report.String(), detail, terminal.Columns(cmd.OutOrStdout()))
			})
		},
	}
	server.Flags(cmd.Flags())
	cmd.Flags().StringVar(&pool, "pool", os.Getenv("LULL_POOL"), "pool to look at ($LULL_POOL; \"default\")")
	help.Connection.In(cmd.Flags(), "pool")
	cmd.Flags().StringVar(&data, "data", folder.Default(), "data folder ($LULL_DATA)")
	flags.Contain(cmd.Flags(), &host)
	try.flags(cmd.Flags())
	help.JSON(cmd, `build
host            capabilities with the cgroup file that provides each; containment
                (bound, present, text); cores, memory, disk, pressure; kernel
                (what, good, text)
checks          of each: what, ok, text
measured        with --measure: alone and beside (p50 and p99 in seconds), ratio,
                idle and harvested cores, judgement`)
	flags.Output(cmd, &output)
	return cmd
}

func examineHost(server dial.Server, host service.HostConfig, pool, data string) (Report, error) {
	found, err := hostdoctor.Examine(hostctl.Config{
		Data: data, Options: host.Options,
	})
	if err != nil {
		return Report{}, fmt.Errorf("look at this host: %w", err)
	}
	checks := append([]Check{checkSensor(), checkRoom(found), checkMemory()}, checkForeignWrites(data)...)
	checks = append(checks, checkServer(server, pool, data)...)
	return Report{Build: build.This(), Host: found, Checks: checks}, nil
}

func checkRoom(host hostdoctor.Report) Check {
	if host.DiskFree < volume.DefaultFloor {
		return Check{"room to work", false, fmt.Sprintf("less than %d MB free: lull writes nothing", volume.DefaultFloor>>20)}
	}
	return Check{"room to work", true, "there is free space in " + host.Disk}
}

// detail is the column in which the text of a check begins.
const detail = 20

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
	if r.Measured != nil {
		b.WriteString(r.Measured.String())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
