package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// most is how many tests may be flaky in one run of CI.
const most = 3

// A report is what CI says of its tests: for people, and in files that the next run and .ci/run read.
type report struct {
	machine  machine
	out      string   // folder
	before   []string // tests that were flaky in the run before
	flaky    []string // of this run of CI, which may be several runs of the runner
	lines    []string // for people: flaky tests, and those without a conclusion
	passed   int
	failed   int
	skipped  int
	seconds  map[string]float64
	failures []failure
}

// A failure is a package that failed, with the arguments of its run.
type failure struct {
	*outcome
	args []string
}

// Files in the report's folder.
const (
	flakyList = "flaky" // names of flaky tests, one a line
	toldList  = "told"  // what is told of tests at the end of CI
	costsList = "costs" // seconds and packages
)

// open reads what earlier runs left.
func (r *report) open(before string) (err error) {
	r.seconds = map[string]float64{}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	if r.flaky, err = lines(filepath.Join(r.out, flakyList)); err != nil {
		return err
	}
	if before != "" {
		r.before, err = lines(before)
	}
	return err
}

// lines returns a file's lines; a file that does not exist has none.
func lines(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return strings.Fields(string(data)), nil
}

// add takes a package's outcome.
func (r *report) add(o *outcome, args []string) {
	r.passed += o.count("pass")
	r.skipped += o.count("skip")
	r.seconds["tests of "+o.pkg] += o.seconds
	if o.failed {
		r.failures = append(r.failures, failure{o, args})
	}
}

// tryAgain decides about the tests that failed.
func (r *report) tryAgain(ctx context.Context) error {
	for _, f := range r.failures {
		names := f.failures()
		if len(names) == 0 {
			names = []string{""} // the whole package
		}
		for _, name := range names {
			if err := r.decide(ctx, f, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// decide decides about one test that failed.
func (r *report) decide(ctx context.Context, f failure, name string) error {
	full := nameOf(f.pkg, name)
	first, err := r.keep(full, "first", f.output.Bytes())
	if err != nil {
		return err
	}
	if why := f.final(); why != "" {
		r.refuse(full, why, first)
		return nil
	}
	v, output, why, err := r.machine.again(ctx, f.outcome, name, f.args, os.Stdout)
	if err != nil {
		return err
	}
	second, err := r.keep(full, "again", output)
	if err != nil {
		return err
	}
	switch v {
	case failed:
		r.refuse(full, why, first+", "+second)
	case flaky:
		r.say("flaky: %s (%s, %s)", full, first, second)
		r.passed++
		r.flaky = append(r.flaky, full)
		if slices.Contains(r.before, full) {
			r.refuse(full, "it was flaky in the run before as well", first)
		}
	case inconclusive:
		r.say("not conclusive: %s: %s (%s)", full, why, first)
		r.skipped++
	}
	return nil
}

func (r *report) refuse(name, why, paths string) {
	r.failed++
	r.say("failed: %s: %s (%s)", name, why, paths)
}

func (r *report) say(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	fmt.Println(line)
	r.lines = append(r.lines, line)
}

// keep writes a test's output to a file, and returns its path.
func (r *report) keep(name, run string, output []byte) (string, error) {
	path := filepath.Join(r.out, strings.ReplaceAll(name, "/", ".")+"."+run)
	return path, os.WriteFile(path, output, 0o644)
}

// finish writes the lists, prints the closing line, and reports whether the tests were green.
func (r *report) finish() (bool, error) {
	if len(r.flaky) > most {
		r.refuse("the tests", fmt.Sprintf("%d are flaky, more than %d", len(r.flaky), most), r.out)
	}
	var costs []string
	for part, s := range r.seconds {
		costs = append(costs, fmt.Sprintf("%.1f %s", s, part))
	}
	slices.Sort(costs)
	err := errors.Join(r.extend(toldList, r.lines), r.extend(costsList, costs),
		os.WriteFile(filepath.Join(r.out, flakyList), []byte(text(r.flaky)), 0o644))
	fmt.Printf("%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
	return r.failed == 0, err
}

// extend appends lines to a list.
func (r *report) extend(name string, lines []string) error {
	f, err := os.OpenFile(filepath.Join(r.out, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text(lines))
	return errors.Join(err, f.Close())
}

// text returns lines with their ends.
func text(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}
