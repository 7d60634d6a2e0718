package serve

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/room"
	"lull/hostctl/cgroup"
)

// Report is what `lull doctor` finds out.
type Report struct {
	Build  Build         `json:"build"`
	Host   []cgroup.Line `json:"host"`
	Notes  []string      `json:"notes,omitempty"`
	Checks []Check       `json:"checks"`
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
		data   string
	)
	output := "text"
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say how the primary is protected here, and what is missing", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := examine(&server, data)
			if err != nil {
				return err
			}
			return show(cmd.OutOrStdout(), output, report, report.String)
		},
	}
	server.Flags(cmd.Flags())
	cmd.Flags().StringVar(&data, "data", folder.Default(), "data folder ($LULL_DATA)")
	outputFlag(cmd, &output)
	return cmd
}

func examine(server *Server, data string) (Report, error) {
	caps, err := cgroup.Detect("/")
	if err != nil {
		return Report{}, fmt.Errorf("look at this host: %w", err)
	}
	return Report{
		Build: ThisBuild(), Host: caps.Lines(), Notes: caps.Notes,
		Checks: []Check{disk(data), reach(server, data)},
	}, nil
}

func disk(data string) Check {
	at := existing(data)
	free, err := room.Free(at)
	if err != nil {
		return Check{"disk", false, err.Error()}
	}
	text := fmt.Sprintf("%s free at %s", humanize.IBytes(uint64(free)), at)
	if free < room.DefaultFloor {
		return Check{"disk", false, text + "; nothing is written below " + humanize.IBytes(room.DefaultFloor)}
	}
	return Check{"disk", true, text}
}

// reach tries the server that was named, or the lull that owns the folder.
func reach(server *Server, data string) Check {
	if server.URL == "" {
		at, ok := Attach(data)
		if !ok {
			return Check{"NATS", true, "no --nats and no lull runs on " + data + ": `lull up` or `lull run` starts one"}
		}
		server = &Server{URL: at.URL, Token: at.Token}
	}
	conn, err := server.Dial("doctor")
	if err != nil {
		return Check{"NATS", false, err.Error()}
	}
	defer conn.Close()
	rtt, err := conn.RTT()
	if err != nil {
		return Check{"NATS", false, err.Error()}
	}
	text := fmt.Sprintf("%s answers in %v, server %s", conn.ConnectedUrlRedacted(), rtt.Round(time.Microsecond), conn.ConnectedServerVersion())
	return jetStreamOn(conn, text)
}

// String is the report for people.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Build.String())
	for _, line := range r.Host {
		row(&b, line.Capability, line.Present, line.Text)
	}
	for _, check := range r.Checks {
		row(&b, check.What, check.OK, check.Text)
	}
	for _, note := range r.Notes {
		fmt.Fprintln(&b, note)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func row(w io.Writer, what string, ok bool, text string) {
	mark := "yes"
	if !ok {
		mark = "no "
	}
	_, _ = fmt.Fprintf(w, "%-14s %s  %s\n", what, mark, text)
}
