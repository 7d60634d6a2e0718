// Package tables runs a command that prints tables, each by its name.
//
// Two kinds of tables differ in what a missed bound means. One of exact figures, which
// the same inputs always give, fails the command. One of figures measured on a machine
// that others share does not: the miss is printed.
package tables

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"lull/test/report"
)

// Table is one of a command's tables.
type Table struct {
	Name, What string
	// Flags adds what the table takes beside the flags of all. Nil for nothing.
	Flags func(*flag.FlagSet)
	// Run makes the table. Quick asks for a small run that only shows that it works.
	Run func(ctx context.Context, quick bool) (*report.Report, error)
	// Exact says that no figure depends on the machine.
	Exact bool
}

// Command is a program of tables.
type Command struct {
	Path   string // how its user starts it: "go run ./test/bench"
	Name   string // in messages
	Tables []Table
}

// Main runs the tables that args name, one after the other with the flags behind the names, until all are made or a signal
// ends the process. It returns the exit code: 0, 1 after an error or a missed bound, 2 for a wrong use.
func (c Command) Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return c.run(ctx, args, os.Stdout, os.Stderr)
}

func (c Command) run(ctx context.Context, args []string, out, log io.Writer) int {
	names := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if names < 0 {
		names = len(args)
	}
	if names == 0 {
		return c.usage(log, "name a table")
	}
	var chosen []Table
	for _, name := range args[:names] {
		at := slices.IndexFunc(c.Tables, func(t Table) bool { return t.Name == name })
		if at < 0 {
			return c.usage(log, "no table is called "+name)
		}
		chosen = append(chosen, c.Tables[at])
	}
	worst := 0
	for _, t := range chosen {
		worst = max(worst, c.table(ctx, t, args[names:], out, log))
	}
	return worst
}

// table makes one table and returns the exit code.
func (c Command) table(ctx context.Context, t Table, args []string, out, log io.Writer) int {
	flags := flag.NewFlagSet(c.Name+" "+t.Name, flag.ContinueOnError)
	flags.SetOutput(log)
	output := flags.String("output", "table", "table or json")
	quick := flags.Bool("quick", false, "a small run that only shows that it works")
	if t.Flags != nil {
		t.Flags(flags)
	}
	if err := flags.Parse(args); err != nil {
		return 2 // flags has printed why
	}
	began := time.Now()
	err := t.print(ctx, *quick, out, *output)
	_, _ = fmt.Fprintf(log, "%s %s took %.1f s\n", c.Name, t.Name, time.Since(began).Seconds())
	if err != nil {
		_, _ = fmt.Fprintf(log, "%s %s: %v\n", c.Name, t.Name, err)
		return 1
	}
	return 0
}

// print makes the table and writes it, and then judges it if its figures are exact. A
// quick run has too few of them to be judged.
func (t Table) print(ctx context.Context, quick bool, out io.Writer, form string) error {
	result, err := t.Run(ctx, quick)
	if err != nil {
		return err
	}
	result.Name = cmp.Or(result.Name, t.Name)
	if err := result.Write(out, form); err != nil || !t.Exact || quick {
		return err
	}
	return result.Missed()
}

func (c Command) usage(log io.Writer, why string) int {
	_, _ = fmt.Fprintf(log, "%s: %s\n", c.Name, why)
	widest := 0
	for _, t := range c.Tables {
		widest = max(widest, len(t.Name))
	}
	for _, t := range c.Tables {
		_, _ = fmt.Fprintf(log, "  %s %-*s  %s\n", c.Path, widest, t.Name, t.What)
	}
	return 2
}

// Module returns the folder of this module, in which the command was started, or in a folder below.
func Module() string {
	folder, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(text), "module lull\n") {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return folder
		}
	}
}

// Some are a few of the settings in a quick run, all otherwise.
func Some[T any](quick bool, settings []T, few ...int) []T {
	if !quick {
		return settings
	}
	var list []T
	for _, i := range few {
		list = append(list, settings[i])
	}
	return list
}
