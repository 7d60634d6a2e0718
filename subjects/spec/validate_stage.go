package spec

import (
	"math"
	"slices"
	"strings"
	"time"
)

// checkStage checks one stage on its own, and that the indices in it exist.
func (j Job) checkStage(at string, i int) error {
	s := &j.Stages[i]
	if err := checkName(at+".name", s.Name); err != nil {
		return err
	}
	for _, check := range []func(string) error{s.checkCommand, s.checkEnvironment, s.checkResources, s.checkTimes, s.checkTasks, s.checkVariables, s.checkSent, s.checkSources, s.checkOutcome, s.checkEnding, j.linksCheck(i)} {
		if err := check(at); err != nil {
			return err
		}
	}
	if err := checkOnExit(s, at); err != nil {
		return err
	}
	if s.Publish {
		return j.checkPublishing(at, i)
	}
	return nil
}

func (s *Stage) checkCommand(at string) error {
	if len(s.Argv) == 0 && !s.Publish {
		return faultf(at+".command", "the stage has no command: give a list of arguments or a line for the shell")
	}
	if len(s.Argv) > 0 && s.Argv[0] == "" {
		return faultf(at+".command", "the name of the program is empty: give a path or a name on the hosts' PATH")
	}
	if size, ok := argumentSize(s.Argv); !ok || size > maxArgv {
		return faultf(at+".command", "the command must have at most %d arguments and %d bytes, without NUL: put long texts into a file", maxArgs, maxArgv)
	}
	return nil
}

func (s *Stage) checkEnvironment(at string) error {
	if size, ok := argumentSize(s.Env); !ok || size > maxArgv {
		return faultf(at+".env", "env must have at most %d variables and %d bytes, without NUL", maxArgs, maxArgv)
	}
	for _, pair := range s.Env {
		if strings.IndexByte(pair, '=') < 1 {
			return faultf(at+".env", "%.80q has no name: write NAME: value", pair)
		}
	}
	if size, ok := argumentSize(s.Where); !ok || len(s.Where) > maxWhere || size > maxArgv {
		return faultf(at+".where", "where must have at most %d labels", maxWhere)
	}
	for _, pair := range s.Where {
		if strings.IndexByte(pair, '=') < 1 {
			return faultf(at+".where", "%.80q is not a label: write name: value", pair)
		}
	}
	return nil
}

// argumentSize is the size of strings that a process is to be given, each with its
// closing NUL, and whether they can be.
func argumentSize(list []string) (size int, ok bool) {
	for _, s := range list {
		if strings.IndexByte(s, 0) >= 0 {
			return 0, false
		}
		size += len(s) + 1
	}
	return size, len(list) <= maxArgs
}

func (s *Stage) checkResources(at string) error {
	switch {
	case s.CPU < 1 || s.CPU > maxCPU || s.Part >= uint32(Core) || s.Cores() < leastCores:
		return faultf(at+".cpu", "the cores of a task are out of bounds: give %v to %d", leastCores, maxCPU)
	case s.Memory < 1 || s.Memory > maxMemory:
		return faultf(at+".memory", "%d bytes a task are out of bounds: give a size such as 256MB", s.Memory)
	case s.Retries > maxRetries:
		return faultf(at+".retries", "%d retries are out of bounds: give 0 to %d", s.Retries, maxRetries)
	}
	return nil
}

func (s *Stage) checkTimes(at string) error {
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"backoff", s.Backoff}, {"timeout", s.Timeout}, {"wall", s.Wall}, {"estimate", s.Estimate}} {
		if d.value < 0 || d.value > longest {
			return faultf(at+"."+d.name, "%v is out of bounds: give a duration of at most ten years", d.value)
		}
	}
	return nil
}

// checkTasks checks the number of tasks and what they get.
func (s *Stage) checkTasks(at string) error {
	switch {
	case s.Tasks == 0:
		return faultf(at+".tasks", "the stage has no tasks: it needs at least one")
	case s.Stdin != "" && (s.Tasks > 1 || s.reads() || !inputName(s.Stdin)):
		return faultf(at+".stdin", "%.80q cannot be the standard input of these tasks: lull run writes this field, for a command of one task; name files under inputs", s.Stdin)
	case s.List != "" && len(s.Splits) > 0:
		return faultf(at+".list", "list and splits both say what the tasks get: keep one")
	case len(s.Splits) > 0 && uint64(len(s.Splits)) != uint64(s.Tasks):
		return faultf(at+".splits", "there are %d tasks and %d splits: give one split a task", s.Tasks, len(s.Splits))
	case s.Chunk > ChunkTasks || s.Chunk > 0 && s.List == "":
		return faultf(at+".chunk", "%d tasks a chunk are out of bounds: give 1 to %d, and a list", s.Chunk, ChunkTasks)
	case s.List != "" && !objectName(s.List):
		return faultf(at+".list", "%.80q cannot be the name of objects: use letters, digits, '.', '/', '-' and '_'", s.List)
	}
	for k, split := range s.Splits {
		if split.Validate() != nil { // there may be 100,000: the path is made for the one that needs it
			return split.validate(index(at+".splits", k))
		}
	}
	return nil
}

// reads reports whether tasks get bytes of files or of other stages as their standard input.
func (s *Stage) reads() bool {
	return s.Publish || len(s.From) > 0 || slices.ContainsFunc(s.Splits, func(p Split) bool { return len(p.Ranges) > 0 })
}

// inputName reports whether a text can be the name of a standard input.
func inputName(s string) bool {
	return len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
}

func objectName(s string) bool {
	return len(s) <= 256 && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("./-_", r)
	})
}

// Validate checks a split that came by reference.
func (s Split) Validate() error { return s.validate("") }

func (s Split) validate(at string) error {
	if len(s.Ranges) > MaxRanges {
		return faultf(join(at, "ranges"), "there are %d ranges, at most %d are allowed: make more tasks", len(s.Ranges), MaxRanges)
	}
	if len(s.Param) > math.MaxInt16 || strings.IndexByte(s.Param, 0) >= 0 {
		return faultf(join(at, "param"), "a parameter has at most %d bytes, without NUL: put it into a file and pass the path", math.MaxInt16)
	}
	for i, r := range s.Ranges {
		at := index(join(at, "ranges"), i)
		if r.Path == "" {
			return faultf(at, "the range has no path: name a file")
		}
		if err := checkInput(at, r); err != nil {
			return err
		}
		if r.Size < 0 || r.Offset < 0 || r.Length < 0 || r.Length > r.Size-r.Offset {
			return faultf(at, "bytes %d to %d+%d are not within a file of %d bytes", r.Offset, r.Offset, r.Length, r.Size)
		}
	}
	return nil
}
