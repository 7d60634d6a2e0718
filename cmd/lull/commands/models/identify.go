package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/cli"
	"lull/cmd/lull/commands/listing"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/help"
	"lull/cmd/lull/interrupt"
	"lull/hostctl/pace"
	"lull/hostctl/rig"
)

// identify is `lull identify`.
type identify struct {
	cli.Document
	stage  string
	format listing.Format
}

func identifyCommand() *cobra.Command {
	var i identify
	cmd := &cobra.Command{
		Use: "identify FILE | -- COMMAND", Short: "Measure how a command's throughput depends on its CPU cap", Args: cobra.ArbitraryArgs,
		Long: `Run a command on this machine for about twelve seconds under a CPU cap that follows a
sine, and fit its reading rate to the cap (Park and Humphrey):

  T(k) = a·T(k−1) + b·C(k−1)    T in MB/s, C in cores, a sample every 200 ms

R² is the share of the variance of T that the model explains. A poor fit is not used:
something other than the cap limits the command. With the model the command prints the
gains of the controller that would hold the command at a given rate, and its settling
time.

FILE is a job file: the command and input of one task are taken from its first stage
with inputs, or from --stage. A command may be given after -- instead, with a file as
standard input. The input is repeated until enough was measured, and the output is
discarded. The command runs as your user, in the background class.`,
		Example: `  lull identify examples/wordcount.yaml
  lull identify -- gzip -c < access.log`,
		RunE: func(cmd *cobra.Command, args []string) error { return i.run(cmd, args) },
	}
	i.FileFlags(cmd)
	_ = cmd.Flags().MarkHidden("id") // nothing is submitted
	cmd.Flags().StringVar(&i.stage, "stage", "", "stage of FILE to measure (default the first with inputs)")
	i.format.Flag(cmd)
	help.JSON(cmd, `a, b            parameters of the model; b in bytes/s a core
r2, samples, sample_seconds
steady_bytes_s  at one core
kp, ki          gains of the controller, in cores per byte/s
settling_samples
settling_worst_samples    with the model off by 0.2 in a and by 2 in b
capped_by       the cgroup file
refused         why the model is not to be used (exit code 1)`)
	return cmd
}

func (i *identify) run(cmd *cobra.Command, args []string) error {
	subject, err := i.subject(cmd, args)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	found, err := try(on.Asked, subject)
	if on.Asked.Err() != nil {
		return exit.With(exit.Interrupted, nil)
	}
	if err != nil {
		return err
	}
	if err := found.print(cmd.OutOrStdout(), i.format); err != nil || found.Refused == "" {
		return err
	}
	return exit.With(exit.Error, fmt.Errorf("%s cannot be paced well: %s", subject.name, found.Refused))
}

// closePatience bounds the wait until the processes of a trial have ended.
const closePatience = 10 * time.Second

// try runs the command in a folder of its own, under a CPU cap that follows a sine, and returns the model
// that was fitted to its reading rate.
func try(ctx context.Context, s *subject) (_ *identified, err error) {
	dir, err := os.MkdirTemp("", "lull-identify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	rig, err := rig.Open(rig.Config{Dir: filepath.Join(dir, "slots")})
	if err != nil {
		return nil, err
	}
	defer func() {
		leave, stop := context.WithTimeout(context.WithoutCancel(ctx), closePatience)
		defer stop()
		err = errors.Join(err, rig.Close(leave))
	}()
	task, err := s.task(dir)
	if err != nil {
		return nil, err
	}
	run, err := rig.Start(ctx, task)
	if err != nil {
		return nil, err
	}
	learnt, err := show(ctx, run, task.Stderr)
	if err != nil {
		return nil, err
	}
	found := identifiedOf(learnt, rig.How())
	if found.Refused != "" {
		found.Refused += waited(run)
	}
	return found, nil
}

// waited returns a remark for a command that used little of the CPU time that its cap allowed, else "".
func waited(run *rig.Run) string {
	used, allowed := run.CPU()
	if allowed <= 0 || used > 0.6*allowed {
		return ""
	}
	return fmt.Sprintf("; it used %.1f of the %.1f CPU seconds that its cap allowed, so the machine is busy, or it waits for something else", used, allowed)
}

// show waits until there is enough data to fit the model, or the command has ended, and returns the result.
func show(ctx context.Context, run *rig.Run, stderr string) (*pace.Learnt, error) {
	select {
	case <-run.Identified():
	case <-run.Done():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if learnt := run.Learnt(); learnt != nil && learnt.Refused != "" {
		select { // the fit may have failed because the command ends: its own error then says more
		case <-run.Done():
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	if run.Over() && run.Err() != nil {
		said, _ := os.ReadFile(stderr)
		return nil, fmt.Errorf("the command failed: %w %s", run.Err(), said[:min(len(said), 1000)])
	}
	if learnt := run.Learnt(); learnt != nil {
		return learnt, nil
	}
	return nil, errors.New("the command ended before its throughput could be measured: give it more input")
}
