package jobs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lull/cmd/lull/commands/adhoc"
	"lull/cmd/lull/exit"
	"lull/subjects/spec"
)

// values separates a command from the values that follow it on the command line, as for GNU parallel.
const values = ":::"

// lineFlags are the flags of a command line that becomes a job: those of `lull submit -- COMMAND`.
type lineFlags struct {
	name   string
	tasks  uint32
	each   string
	null   bool
	memory string
	env    []string
	files  []string
}

// commandFlags are the flags of `lull run -- COMMAND`, which also shows what the tasks write.
type commandFlags struct {
	lineFlags
	ordered bool
	halt    string
	log     string
}

func (c *lineFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.name, "name", "", "of a command: name of the job (default the command's own)")
	f.Uint32VarP(&c.tasks, "tasks", "n", 0, "of a command: run it in so many tasks; {#} is each one's number")
	f.StringVar(&c.each, "each", "", "of a command: run it once for each line of a file, - for stdin; {} is the line")
	f.BoolVarP(&c.null, "null", "0", false, "of a command: values of --each end with a NUL byte instead of a line end, as those of find -print0")
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
}

// Flags that `lull run` and `lull submit` accept only with a command, and only with a job file.
var (
	ofCommands = []string{"name", "tasks", "each", "null", "keep-order", "halt", "joblog", "memory", "env", "file"}
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
	l.Args, l.Tasks, l.Name = args, max(c.tasks, 1), c.name
	if at := slices.Index(args, values); at >= 0 {
		l.Args, l.Each = args[:at], args[at+1:]
	}
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
	if c.name != "" {
		if err := spec.CheckJob(c.name); err != nil {
			return l, fmt.Errorf("--%w", err)
		}
	}
	if err := l.Fits(); err != nil {
		return l, err
	}
	for _, file := range c.files {
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(file, "*?[{") {
			return l, fmt.Errorf("--file %s does not exist: check the path", file)
		}
	}
	l.Files = c.files
	if l.Env, err = c.environment(); err != nil {
		return l, err
	}
	if c.memory != "" {
		bytes, err := spec.ParseSize(c.memory)
		if err != nil || bytes == 0 || bytes > 1<<62 {
			return l, fmt.Errorf("--memory %q is no size: write 2GB or 512MiB, for example", c.memory)
		}
		l.Memory = bytes
	}
	return l, nil
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

// results fills in how the tasks' results are handled, from --halt, --keep-order and --joblog.
func (c *commandFlags) results(r *adhoc.Results) (err error) {
	if r.Halt, err = adhoc.ParseHalt(c.halt); err != nil {
		return exit.With(exit.Usage, err)
	}
	if c.ordered {
		if r.Order, err = adhoc.NewOrder(); err != nil {
			return fmt.Errorf("--keep-order: %w", err)
		}
	}
	if c.log != "" {
		if r.Log, err = adhoc.NewJobLog(c.log); err != nil {
			return fmt.Errorf("--joblog: %w", err)
		}
	}
	return nil
}
