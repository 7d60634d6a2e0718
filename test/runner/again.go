package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// tries bounds how often a test runs again where others took the machine meanwhile.
const tries = 2

// verdict is what a second run says of a failure.
type verdict int

const (
	failed       verdict = iota // it failed again
	flaky                       // it passed
	inconclusive                // the machine left it no CPU
)

// again runs a test that failed once more, alone, and returns what that says, with its output and why.
func (m machine) again(ctx context.Context, o *outcome, name string, args []string, w io.Writer) (v verdict, output []byte, why string, err error) {
	for range tries {
		spared, left, err := m.calm()
		if err != nil {
			return failed, nil, "", err
		}
		if !spared {
			return inconclusive, output, fmt.Sprintf("the machine left %.1f %% idle: live tests are not conclusive", 100*left), nil
		}
		before, err := m.read()
		if err != nil {
			return failed, nil, "", err
		}
		_, _ = fmt.Fprintf(w, "-- again, alone: %s\n", nameOf(o.pkg, name))
		outcomes, err := suite{raced: o.raced, args: argsOf(args, o.pkg, name)}.stream(ctx, w)
		if err != nil {
			return failed, nil, "", err
		}
		if len(outcomes) != 1 {
			return failed, nil, "", fmt.Errorf("%s alone: %d packages ran, want one", nameOf(o.pkg, name), len(outcomes))
		}
		second := outcomes[0]
		output = second.output.Bytes()
		switch why := second.final(); {
		case !second.failed && second.passed(name):
			return flaky, output, "", nil
		case !second.failed:
			return failed, output, "it did not run again", nil
		case why != "":
			return failed, output, why, nil
		}
		after, err := m.read()
		if err != nil {
			return failed, nil, "", err
		}
		taken := after.othersSince(before)
		if taken < others {
			return failed, output, "it failed again, alone", nil
		}
		why = fmt.Sprintf("others took %.0f %% of the machine: live tests are not conclusive", 100*taken)
	}
	return inconclusive, output, why, nil
}

// limit bounds the second run of one test.
const limit = 10 * time.Minute

// argsOf returns the arguments of go test for one test, by those of the run in which it failed.
func argsOf(args []string, pkg, name string) []string {
	// Flags of the test's own binary come behind the package.
	again := append([]string{pkg}, slices.DeleteFunc(slices.Clone(args), isPackage)...)
	again = append(again, "-count=1", "-timeout="+limit.String())
	if name != "" {
		again = append(again, "-run="+pattern(name))
	}
	return again
}

// isPackage reports whether an argument of go test is a package.
func isPackage(arg string) bool {
	return strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "lull/")
}

// pattern returns the expression that go test -run takes for a test or a subtest.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
