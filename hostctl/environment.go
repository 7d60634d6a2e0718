package hostctl

import (
	"bufio"
	"os"
	"slices"
	"strconv"

	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// environment is what doc.go promises to a task. The stage's own comes last
// and replaces what has the same name.
func (a *Agent) environment(r *run, job *subjects.Submitted, split spec.Split, list string) []string {
	stage := &job.Spec.Stages[r.Stage]
	env := make([]string, 0, 20+len(stage.Env))
	set := func(name, value string) { env = append(env, name+"="+value) }
	number := func(name string, n uint64) { set(name, strconv.FormatUint(n, 10)) }
	set("LULL_JOB", r.Job)
	set("LULL_STAGE", stage.Name)
	number("LULL_TASK", uint64(r.TaskID.Task))
	number("LULL_TASKS", uint64(stage.Tasks))
	number("LULL_ATTEMPT", uint64(r.Try))
	number("LULL_ATTEMPT_ID", r.Attempt)
	set("LULL_OUT", r.folder.Out())
	set("LULL_CHECKPOINT", r.folder.Checkpoint())
	if len(stage.From) > 0 {
		set("LULL_INPUT", r.folder.In())
	}
	if list != "" {
		set("LULL_INPUT_LIST", list)
	}
	if len(split.Ranges) == 1 {
		number("LULL_INPUT_OFFSET", uint64(split.Ranges[0].Offset))
		number("LULL_INPUT_LENGTH", uint64(split.Ranges[0].Length))
	}
	if split.Param != "" {
		set("LULL_PARAM", split.Param)
	}
	if stage.Partitions > 0 {
		number("LULL_PARTITIONS", uint64(stage.Partitions))
	}
	if slices.ContainsFunc(stage.From, func(f spec.From) bool { return f.Partition }) {
		number("LULL_PARTITION", uint64(r.TaskID.Task))
	}
	if job.Trace != "" {
		set("TRACEPARENT", job.Trace)
	}
	for _, name := range []string{"PATH", "HOME", "LANG"} {
		set(name, orDefault(os.Getenv(name), inherited[name]))
	}
	return override(env, stage.Env)
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
