package jobs

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"lull/client/progress"
	"lull/cmd/lull/commands/adhoc"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// values separates a command from values that stand on the command line, as for GNU parallel.
const values = ":::"

// commandFlags are those of `lull run -- COMMAND`.
type commandFlags struct {
	tasks   uint32
	each    string
	ordered bool
	halt    string
	log     string
	memory  string
	env     []string
}

func (c *commandFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Uint32VarP(&c.tasks, "tasks", "n", 0, "of a command: run it in so many tasks; {#} is each one's number")
	f.StringVar(&c.each, "each", "", "of a command: run it once for each line of a file, - for stdin; {} is the line")
	f.BoolVarP(&c.ordered, "keep-order", "k", false, "of a command: print what tasks wrote in their order, not as they end")
	f.StringVar(&c.halt, "halt", "never", "of a command: when the others are ended: never, now,fail=N or now,fail=P%")
	f.StringVar(&c.log, "joblog", "", "of a command: write a line for each task that ended to this file, as GNU parallel does")
	f.StringVar(&c.memory, "memory", "", "of a command: memory of a task, such as 2GB")
	f.StringSliceVar(&c.env, "env", nil, "of a command: names of variables to pass on, or NAME=VALUE; other jobs of the pool can read them")
}

// given names a flag of commands that was set, "" for none.
func (c *commandFlags) given(cmd *cobra.Command) string {
	for _, name := range []string{"tasks", "each", "keep-order", "halt", "joblog", "memory", "env"} {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// line is the command line after the dash, with its values.
func (c *commandFlags) line(args []string, stdin io.Reader) (l adhoc.Line, err error) {
	l.Args, l.Tasks = args, max(c.tasks, 1)
	if at := slices.Index(args, values); at >= 0 {
		l.Args, l.Each = args[:at], args[at+1:]
	}
	switch {
	case len(l.Args) == 0:
		return l, errors.New("the command is missing after --")
	case l.Each != nil && c.each != "":
		return l, errors.New("--each and ::: both give values: keep one")
	case c.each != "":
		if l.Each, err = readLines(c.each, stdin); err != nil {
			return l, err
		}
	}
	if l.Each != nil && c.tasks > 0 {
		return l, errors.New("-n and values both say how many tasks there are: keep one")
	}
	if l.Each != nil && len(l.Each) == 0 {
		return l, errors.New("there are no values: no task would run")
	}
	if l.Env, err = c.environment(); err != nil {
		return l, err
	}
	if c.memory != "" {
		bytes, err := humanize.ParseBytes(c.memory)
		if err != nil || bytes == 0 || bytes > 1<<62 {
			return l, fmt.Errorf("--memory %q is no size: write 2GB or 512MiB, for example", c.memory)
		}
		l.Memory = int64(bytes)
	}
	return l, nil
}

// environment is what is passed on to the tasks. A job's variables stand in its document, which
// all who may read the pool can read.
func (c *commandFlags) environment() (map[string]string, error) {
	all := map[string]string{}
	for _, word := range c.env {
		name, value, given := strings.Cut(word, "=")
		if !given {
			var ok bool
			if value, ok = os.LookupEnv(name); !ok {
				return nil, fmt.Errorf("--env %s: there is no such variable here", name)
			}
		}
		all[name] = value
	}
	return maps.Clone(all), nil
}

// readLines reads the values of a file.
func readLines(path string, stdin io.Reader) (all []string, err error) {
	in := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("--each: %w", err)
		}
		defer file.Close() //nolint:errcheck // only read
		in = file
	}
	all = []string{}
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		if len(all) == spec.MaxTasks {
			return nil, fmt.Errorf("--each: there are more than %d lines", spec.MaxTasks)
		}
		all = append(all, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("--each: line %d: %w", len(all)+1, err)
	}
	return all, nil
}

// command runs a command line as a job, and prints what its tasks write.
func (r *run) command(cmd *cobra.Command, args []string) (err error) {
	line, err := r.of.line(args, cmd.InOrStdin())
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	results := &adhoc.Results{Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(), Ordered: r.of.ordered}
	if results.Halt, err = adhoc.ParseHalt(r.of.halt); err != nil {
		return exit.With(exit.Usage, err)
	}
	if r.of.log != "" {
		file, err := os.Create(r.of.log)
		if err != nil {
			return exit.With(exit.Usage, fmt.Errorf("--joblog: %w", err))
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if results.Log, err = adhoc.NewJobLog(file); err != nil {
			return fmt.Errorf("--joblog: %w", err)
		}
	}
	if line.Dir, err = os.Getwd(); err != nil {
		return err
	}
	on := interrupt.Listen(cmd.Context())
	defer on.Stop()
	screen := &waiting{Writer: cmd.ErrOrStderr()}
	r.writable = []string{line.Dir}
	home, err := r.enter(on, screen)
	if on.Asked.Err() != nil && errors.Is(err, context.Canceled) {
		return exit.With(exit.Interrupted, errors.New("interrupted before the job was handed over"))
	}
	if err != nil {
		return err
	}
	if r.Server.URL != "" {
		line.Dir = "" // hosts elsewhere need not have this folder
	}
	results.Line = line
	err = r.carryCommand(on, home, screen, results)
	if on.Insisted.Err() != nil {
		return exit.With(exit.Interrupted, nil)
	}
	return errors.Join(err, home.leave(on, cmd.ErrOrStderr()))
}

// carryCommand submits the job of a command and shows what its tasks write until its end.
func (r *run) carryCommand(on *interrupt.Interrupts, home *home, screen screen, results *adhoc.Results) error {
	const from = "the command line"
	doc := results.Line.Document()
	if err := r.Due(doc); err != nil {
		return err
	}
	f, err := newFollower(on.Insisted, home.client, screen)
	if err != nil {
		return err
	}
	if f.job, err = r.send(on.Asked, home.client, func() (*ledger.State, error) { return f.view.State, nil }, doc, from); err != nil {
		return err
	}
	interrupted := cancelOn(on, home.client, f.job, screen)
	o := &written{ctx: on.Insisted, client: home.client, view: f.view, job: f.job, results: results, screen: screen}
	f.view.Each = o.see
	j, err := f.follow(home.alive(on.Insisted))
	if err != nil {
		return err
	}
	home.view = f.view
	if err := o.close(); err != nil {
		return err
	}
	if interrupted() && j.Phase == ledger.Cancelled {
		return exit.With(exit.Interrupted, nil)
	}
	return ended(j, o, screen)
}

// ended is the outcome of a command: of a single one its own exit status, of several that of a job
// that failed if any of them did.
func ended(j *ledger.Job, o *written, out io.Writer) error {
	switch {
	case j.Phase == ledger.Rejected:
		_, _ = fmt.Fprintf(out, "rejected: %s\n", j.Text)
		return outcome(j.Phase)
	case o.results.Line.Single() && o.exit != 0:
		return exit.With(o.exit, nil)
	case j.Phase != ledger.Finished && !o.halted:
		_, _ = fmt.Fprintf(out, "%s %s: %s\n", j.ID, j.Phase, cmp.Or(j.Text, j.Code))
		return outcome(j.Phase)
	case o.results.Failed > 0:
		text := fmt.Sprintf("%d of %d commands failed", o.results.Failed, o.results.Ended)
		if o.halted {
			text += ", and the others were ended (--halt)"
		}
		_, _ = fmt.Fprintln(out, text)
		return exit.With(exit.Failed, nil)
	}
	return nil
}

// waiting says on stderr why nothing runs, once it has lasted for a while.
type waiting struct {
	io.Writer
	said bool
}

func (w *waiting) show(v progress.View) {
	whole := v.Whole()
	if w.said || whole.Done+whole.Held > 0 || v.Phase.Ended() || v.Now.Sub(v.Since) < patience {
		return
	}
	w.said = true
	_, _ = fmt.Fprintln(w, progress.Line(v))
}

func (w *waiting) close() {}
