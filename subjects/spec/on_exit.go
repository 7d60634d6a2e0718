package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// What follows when a task's process ends with an exit status that its stage names.
const (
	ExitFail  = "fail"  // the task has failed for good: no retries
	ExitAgain = "again" // the task is tried again, which costs no retry
	ExitDone  = "done"  // the task is done, as with status 0
)

var exitWords = []string{ExitFail, ExitAgain, ExitDone}

// MostAgain is how many attempts a task has at most that on_exit has tried again, others of it included.
const MostAgain = 1000

// Exit says what follows from an exit status. Hosts of before Format 6 pass over it.
type Exit struct {
	Status uint32 `msgpack:"status"` // 1 to 255
	Do     string `msgpack:"do"`     // ExitFail, ExitAgain or ExitDone
}

// AfterExit returns what follows from an exit status of a stage's task, "" for the usual.
func AfterExit(s *Stage, status int) string {
	for _, e := range s.OnExit {
		if int(e.Status) == status {
			return e.Do
		}
	}
	return ""
}

// HasOnExit reports whether any stage of the job says what follows from exit statuses.
func HasOnExit(j *Job) bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return len(s.OnExit) > 0 })
}

func onExitField(s *DocStage) field {
	return field{name: "on_exit", read: readOnExit(s), form: onExitForm}.says("What follows from exit statuses from 1 to 255, such as `{42: fail, 75: again, 1: done}`. " +
		"`fail`: the task has failed for good, whatever `retries` says. `again`: it is tried again after `backoff`, which costs no retry; a task has 1000 attempts at most. " +
		"`done`: it is done as with status 0, and what it wrote is kept. Other statuses but 0 are failures.")
}

func readOnExit(s *DocStage) func(value) error {
	return func(v value) error {
		pairs, ok := v.node.(ast.MapNode)
		if !ok {
			return v.wrong("a map of exit statuses, such as {42: fail, 75: again}")
		}
		s.OnExit = map[string]string{}
		for at := pairs.MapRange(); at.Next(); {
			key := value{v.doc, at.Key(), v.where(), 0}
			text, err := key.scalar()
			if err != nil {
				return err
			}
			status, err := strconv.ParseUint(text, 10, 8)
			if err != nil || status == 0 {
				return key.faultf("%.20q is no exit status of a failure: write a number from 1 to 255", text)
			}
			key.path = join(v.where(), text)
			do, err := value{v.doc, at.Value(), key.path, 0}.text()
			switch name := strconv.FormatUint(status, 10); {
			case err != nil:
				return err
			case s.OnExit[name] != "":
				return key.faultf("it is given twice: remove one")
			case !slices.Contains(exitWords, do):
				return value{v.doc, at.Value(), key.path, 0}.faultf("%.40q is not what can follow from an exit status: write %s", do, strings.Join(exitWords[:2], ", ")+" or "+exitWords[2])
			default:
				s.OnExit[name] = do
			}
		}
		return nil
	}
}

func onExitForm(*field) *Schema {
	return &Schema{Type: "object", Additional: &Schema{Type: "string", Enum: exitWords}}
}

// exitsOf is the canonical form of what a document says, by status.
func exitsOf(s *DocStage) (all []Exit) {
	for name, do := range s.OnExit {
		status, _ := strconv.ParseUint(name, 10, 32)
		all = append(all, Exit{uint32(status), do})
	}
	slices.SortFunc(all, func(a, b Exit) int { return int(a.Status) - int(b.Status) })
	return all
}

// recoverExits is the inverse of exitsOf.
func recoverExits(all []Exit) map[string]string {
	if len(all) == 0 {
		return nil
	}
	m := map[string]string{}
	for _, e := range all {
		m[strconv.FormatUint(uint64(e.Status), 10)] = e.Do
	}
	return m
}

// checkOnExit checks what follows from exit statuses.
func checkOnExit(s *Stage, at string) error {
	if s.Publish && len(s.OnExit) > 0 {
		return faultf(at+".on_exit", "the publishing stage has the usual end: leave on_exit out")
	}
	for i, e := range s.OnExit {
		if e.Status < 1 || e.Status > 255 || !slices.Contains(exitWords, e.Do) || i > 0 && e.Status <= s.OnExit[i-1].Status {
			return faultf(at+".on_exit", "%.20q for exit status %d: give statuses from 1 to 255 once, and fail, again or done", e.Do, e.Status)
		}
	}
	return nil
}
