package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/adhoc"
	"lull/cmd/lull/exit"
	"lull/subjects/spec"
)

// lineFlags are the flags of a command line that becomes a job: those of `lull submit -- COMMAND`.
type lineFlags struct {
	name    string
	tasks   uint32
	each    string
	null    bool
	mark    string
	retries uint32
	timeout time.Duration
	cpu     string
	memory  string
	env     []string
	files   []string
}

// commandFlags are the flags of `lull run -- COMMAND`, which also shows what the tasks write.
type commandFlags struct {
	lineFlags
	ordered bool
	halt    string
	log     string
	folder  string
	resume  bool
	failed  bool // --resume-failed
	tag     bool
}

func (c *lineFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.name, "name", "", "of a command: name of the job (default the command's own)")
	f.Uint32VarP(&c.tasks, "tasks", "n", 0, "of a command: run it in so many tasks; {#} is each one's number")
	f.StringVar(&c.each, "each", "", "of a command: run it once for each line of a file, - for stdin; {} is the line")
	f.BoolVarP(&c.null, "null", "0", false, "of a command: values of --each end with a NUL byte instead of a line end, as those of find -print0")
	f.StringVarP(&c.mark, "replace-string", "I", "", "of a command: text that stands for the value, in place of {}")
	f.Uint32Var(&c.retries, "retries", 0, "of a command: how many times more it is tried when it fails")
	f.DurationVar(&c.timeout, "timeout", 0, "of a command: end a task that could run for so long, such as 30m; it has failed then")
	f.StringVar(&c.cpu, "cpu", "", "of a command: cores of a task, such as 2 or 0.5")
	f.StringVar(&c.memory, "memory", "", "of a command: memory of a task, such as 2GB")
	f.StringArrayVar(&c.env, "env", nil, "of a command: name of a variable to pass on, or NAME=VALUE; it can be repeated, and every user that reads the pool can read it")
	f.StringArrayVar(&c.files, "file", nil, "of a command: file or folder to send along; tasks run in folders of their own that hold it; it can be repeated")
}

func (c *commandFlags) add(cmd *cobra.Command) {
	c.lineFlags.add(cmd)
	f := cmd.Flags()
	f.BoolVarP(&c.ordered, "keep-order", "k", false, "of a command: print what tasks wrote in their order, not as they end")
	f.StringVar(&c.halt, "halt", "never", "of a command: how many failures end the other tasks: never, now,fail=N or now,fail=P%")
	f.StringVar(&c.log, "joblog", "", "of a command: write a line for each task that ended to this file, as GNU parallel does")
	f.BoolVar(&c.resume, "resume", false, "of a command: run only the tasks that the file of --joblog does not hold, and add to it")
	f.BoolVar(&c.failed, "resume-failed", false, "of a command: as --resume, and also those that failed")
	f.StringVar(&c.folder, "results", "", "of a command: keep each task's stdout, stderr, seq and exitval in folders DIR/1/VALUE, as GNU parallel does")
	f.BoolVar(&c.tag, "tag", false, "of a command: begin each line of output with the task's value and a tab")
}

// Flags that `lull run` and `lull submit` accept only with a command, and only with a job file.
var (
	ofCommands = []string{"name", "tasks", "each", "null", "keep-order", "halt", "joblog", "resume", "resume-failed", "results", "tag", "replace-string", "retries", "timeout", "cpu", "memory", "env", "file"}
	ofFiles    = []string{"set", "replace", "json"}
)

// given returns the first of the named flags that the user set, "" if none was set.
func given(cmd *cobra.Command, flags []string) string {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// line returns what follows -- on the command line, with the values from --each or after :::, and checks the
// flags of a command.
func (c *lineFlags) line(cmd *cobra.Command, args []string) (l adhoc.Line, err error) {
	l.Tasks, l.Mark, l.Name = max(c.tasks, 1), c.mark, c.name
	command, rows, err := adhoc.Lists(args)
	if err != nil {
		return l, err
	}
	l.Args = command
	l.SetRows(rows)
	switch {
	case given(cmd, ofFiles) != "":
		return l, fmt.Errorf("--%s is for job files, and a command follows --", given(cmd, ofFiles))
	case len(l.Args) == 0:
		return l, errors.New("the command is missing after --")
	case c.tasks == 0 && cmd.Flags().Changed("tasks"):
		return l, errors.New("-n 0 would run nothing: give a number from 1 on")
	case l.Each != nil && c.each != "":
		return l, errors.New("--each and ::: both give values: keep one")
	case c.null && c.each == "":
		return l, errors.New("-0 says how the values of --each end, and there is no --each: give --each FILE, or --each - for stdin")
	case c.each != "":
		if l.Each, err = c.readValues(cmd.InOrStdin()); err != nil {
			return l, err
		}
	}
	if l.Each != nil && c.tasks > 0 {
		return l, errors.New("-n and values both say how many tasks there are: keep one")
	}
	if err := cmp.Or(c.checkName(), l.Fits(), c.limits(cmd, &l)); err != nil {
		return l, err
	}
	for _, file := range c.files {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(file, "*?[{") {
			return l, fmt.Errorf("--file %s does not exist: check the path", file)
		}
	}
	l.Files = c.files
	l.Env, err = c.environment()
	return l, err
}

func (c *lineFlags) checkName() error {
	if c.name == "" {
		return nil
	}
	if err := spec.CheckJob(c.name); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// limits fills in what a task may take, and how often it is tried.
func (c *lineFlags) limits(cmd *cobra.Command, l *adhoc.Line) error {
	if cmd.Flags().Changed("timeout") && c.timeout <= 0 {
		return fmt.Errorf("--timeout %s would let nothing run: give a time such as 30m", c.timeout)
	}
	l.Retries, l.Timeout = c.retries, spec.Duration(c.timeout)
	if c.cpu != "" {
		cores, err := strconv.ParseFloat(c.cpu, 64)
		if err != nil || !(cores >= 0.1 && cores <= 4096) {
			return fmt.Errorf("--cpu %q is no number of cores from 0.1 on: write 2 or 0.5, for example", c.cpu)
		}
		l.CPU = spec.Cores(math.Round(cores * 1000))
	}
	if c.memory != "" {
		bytes, err := spec.ParseSize(c.memory)
		if err != nil || bytes == 0 || bytes > 1<<62 {
			return fmt.Errorf("--memory %q is no size: write 2GB or 512MiB, for example", c.memory)
		}
		l.Memory = bytes
	}
	return nil
}

// pick leaves of the line what an earlier run has not done, if that is asked for.
func (c *commandFlags) pick(l *adhoc.Line) error {
	switch {
	case !c.resume && !c.failed:
		return nil
	case c.log == "":
		return errors.New("--resume reads what is done from the file of --joblog: give --joblog FILE")
	}
	if err := l.Resume(c.log, c.failed); err != nil {
		return fmt.Errorf("--joblog: %w", err)
	}
	return nil
}

// runHere makes the tasks of a line run in this folder, with the programs that this shell finds, unless files are
// sent along: then each task has a folder of its own.
func runHere(l *adhoc.Line) (err error) {
	passPath(l.Env)
	if len(l.Files) == 0 {
		l.Dir, err = os.Getwd()
	}
	return err
}

// passPath makes a command that runs on this machine find the programs that the calling shell would
// find.
func passPath(env map[string]string) {
	if path := os.Getenv("PATH"); env["PATH"] == "" && path != "" {
		env["PATH"] = path
	}
}

// noValues says that there is nothing to run: a list of files may be empty, and as in GNU parallel, that is no fault.
const noValues = "there are no values: nothing to run"

// fromLine stands for the name of a file in errors of a job that a command line became.
const fromLine = "the command line"

// environment returns the variables that are passed on to the tasks. It takes only those that --env names,
// because a job's variables are in its document, which every user of the pool can read.
func (c *lineFlags) environment() (map[string]string, error) {
	all := map[string]string{}
	for _, word := range c.env {
		name, value, given := strings.Cut(word, "=")
		if !given {
			var ok bool
			if value, ok = os.LookupEnv(name); !ok {
				return nil, fmt.Errorf("--env %s: there is no such variable here", name)
			}
		}
		if err := spec.CheckVariable(name); err != nil {
			return nil, fmt.Errorf("--env %s: %w", word, err)
		}
		all[name] = value
	}
	return all, nil
}

// readValues reads the values of --each from a file, or from stdin if its name is "-".
func (c *lineFlags) readValues(stdin io.Reader) ([]string, error) {
	in := stdin
	if c.each != "-" {
		file, err := os.Open(c.each)
		if err != nil {
			return nil, fmt.Errorf("--each: %w", err)
		}
		defer file.Close() //nolint:errcheck // only read
		in = file
	}
	all, err := adhoc.Values(in, c.null)
	if err != nil {
		return nil, fmt.Errorf("--each: %w", err)
	}
	return all, nil
}

// results fills in how the tasks' results are handled, from --halt, --keep-order, --tag, --results and --joblog.
func (c *commandFlags) results(r *adhoc.Results) (err error) {
	if r.Halt, err = adhoc.ParseHalt(c.halt); err != nil {
		return exit.With(exit.Usage, err)
	}
	if c.ordered {
		if r.Order, err = adhoc.NewOrder(); err != nil {
			return fmt.Errorf("--keep-order: %w", err)
		}
	}
	r.Tag = c.tag
	if c.folder != "" {
		if r.Folder, err = adhoc.NewFolder(c.folder, r.Line); err != nil {
			return fmt.Errorf("--results: %w", err)
		}
	}
	if c.log != "" {
		if r.Log, err = adhoc.NewJobLog(c.log, c.resume || c.failed); err != nil {
			return fmt.Errorf("--joblog: %w", err)
		}
	}
	return nil
}
