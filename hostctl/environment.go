package hostctl

import (
	"bufio"
	"os"
	"slices"
	"strconv"

	"lull/actors/account"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// environment is what doc.go promises to a task. The stage's own comes last
// and replaces what has the same name.
func (a *Agent) environment(r *run, job *subjects.Submitted, split spec.Split, list string) []string {
	stage := &job.Spec.Stages[r.Stage]
	e := make(environ, 0, 22+len(stage.Env))
	e.identity(r, stage)
	e.input(r, stage, split, list)
	e.partitions(r, stage)
	e.ambient(job.Trace)
	e.homes(r, a.policy.User)
	return override(e, stage.Env)
}

// environ is a list of NAME=value.
type environ []string

func (e *environ) set(name, value string) { *e = append(*e, name+"="+value) }

func (e *environ) number(name string, n uint64) { e.set(name, strconv.FormatUint(n, 10)) }

func (e *environ) identity(r *run, stage *spec.Stage) {
	e.set("LULL_JOB", r.Job)
	e.set("LULL_STAGE", stage.Name)
	e.number("LULL_TASK", uint64(r.TaskID.Task))
	e.number("LULL_TASKS", uint64(stage.Tasks))
	e.number("LULL_ATTEMPT", uint64(r.Try))
	e.number("LULL_ATTEMPT_ID", r.Attempt)
	e.set("LULL_OUT", r.folder.Out())
	e.set("LULL_CHECKPOINT", r.folder.Checkpoint())
}

func (e *environ) input(r *run, stage *spec.Stage, split spec.Split, list string) {
	if len(stage.From) > 0 {
		e.set("LULL_INPUT", r.folder.In())
	}
	if list != "" {
		e.set("LULL_INPUT_LIST", list)
	}
	if len(split.Ranges) == 1 {
		e.number("LULL_INPUT_OFFSET", uint64(split.Ranges[0].Offset))
		e.number("LULL_INPUT_LENGTH", uint64(split.Ranges[0].Length))
	}
	if split.Param != "" {
		e.set("LULL_PARAM", split.Param)
	}
}

func (e *environ) partitions(r *run, stage *spec.Stage) {
	if stage.Partitions > 0 {
		e.number("LULL_PARTITIONS", uint64(stage.Partitions))
	}
	if slices.ContainsFunc(stage.From, func(f spec.From) bool { return f.Partition }) {
		e.number("LULL_PARTITION", uint64(r.TaskID.Task))
	}
}

// ambient is what comes from around the job: its trace, and the agent's own.
func (e *environ) ambient(trace string) {
	if trace != "" {
		e.set("TRACEPARENT", trace)
	}
	for _, name := range []string{"PATH", "LANG"} {
		e.set(name, orDefault(os.Getenv(name), inherited[name]))
	}
}

// homes are where programs write that are not told where. A task that runs as
// another user than the agent is no guest in the agent's home.
func (e *environ) homes(r *run, user account.User) {
	e.set("TMPDIR", r.folder.Work())
	e.set("LULL_PROGRESS", progressFile(r.folder))
	if user.Same() {
		e.set("HOME", orDefault(os.Getenv("HOME"), inherited["HOME"]))
		return
	}
	e.set("HOME", r.folder.Work())
}

// inherited are the values of an agent that has none itself.
var inherited = map[string]string{
	"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/", "LANG": "C.UTF-8",
}

// override appends own, and drops from env what own sets anew.
func override(env, own []string) []string {
	for _, pair := range own {
		name := pair[:nameEnd(pair)]
		env = slices.DeleteFunc(env, func(old string) bool { return old[:nameEnd(old)] == name })
	}
	return append(env, own...)
}

func nameEnd(pair string) int {
	for i := range len(pair) {
		if pair[i] == '=' {
			return i
		}
	}
	return len(pair)
}

// list writes the paths of the input, one a line, and returns where; "" if
// there is none.
func (in input) list(folder store.Folder) (string, error) {
	if len(in.ranges) == 0 {
		return "", nil
	}
	f, err := os.Create(folder.List())
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	for _, r := range in.ranges {
		_, _ = w.WriteString(r.Path + "\n") // Flush tells
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return "", err
	}
	return f.Name(), f.Close()
}
