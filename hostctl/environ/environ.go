package environ

import (
	"cmp"
	"os"
	"slices"
	"strconv"

	"lull/actors/account"
	"lull/hostctl/actor"
	"lull/hostctl/store"
	"lull/subjects/spec"
)

// Task is what a task's environment is made of.
type Task struct {
	actor.Task
	Stage  *spec.Stage
	Split  spec.Split
	Folder store.Folder
	// List is the file that lists the task's input paths, "" for none.
	List string
	// Trace is the W3C trace context of the job, "" for none.
	Trace string
	// Label tells the task from others for people, "" for none: see spec.Stage.Label.
	Label string
	// User is the user that the task runs as.
	User account.User
	// Path is the task's PATH unless its stage sets one. Defaults to DefaultPath.
	Path string
}

// DefaultPath is where commands of tasks are looked for. The agent's own PATH depends on the
// shell that started it, so a job would find other commands on each host.
const DefaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// Of returns the environment of a task, as the package comment promises it. The stage's own
// variables come last and replace those of the same name.
func Of(t Task) []string {
	e := make(environ, 0, 32+len(t.Stage.Env))
	e.addIdentity(&t)
	e.addInput(&t)
	e.addPartitions(&t)
	e.addAmbient(&t)
	e.addThreads(&t)
	e.addUser(&t)
	e.addHomes(&t)
	e.addVars(&t)
	return override(e, t.Stage.Env)
}

// addVars adds the variables that differ from task to task.
func (e *environ) addVars(t *Task) {
	for i, name := range t.Stage.Vars {
		if i < len(t.Split.Vars) {
			*e = override(*e, []string{name + "=" + t.Split.Vars[i]})
		}
	}
}

// environ is a list of NAME=value.
type environ []string

func (e *environ) set(name, value string) { *e = append(*e, name+"="+value) }

func (e *environ) number(name string, n uint64) { e.set(name, strconv.FormatUint(n, 10)) }

func (e *environ) addIdentity(t *Task) {
	e.set("LULL_JOB", t.Job)
	e.set("LULL_STAGE", t.Stage.Name)
	e.number("LULL_TASK", uint64(t.TaskID.Task))
	e.number("LULL_TASKS", uint64(t.Stage.Tasks))
	if t.Label != "" {
		e.set("LULL_LABEL", t.Label)
	}
	e.number("LULL_ATTEMPT", uint64(t.Try))
	e.number("LULL_ATTEMPT_ID", t.Attempt)
	e.set("LULL_OUT", t.Folder.Out())
	e.set("LULL_CHECKPOINT", t.Folder.Checkpoint())
}

func (e *environ) addInput(t *Task) {
	if len(t.Stage.From) > 0 {
		e.set("LULL_INPUT", t.Folder.In())
	}
	if t.List != "" {
		e.set("LULL_INPUT_LIST", t.List)
	}
	if len(t.Split.Ranges) == 1 {
		e.number("LULL_INPUT_OFFSET", uint64(t.Split.Ranges[0].Offset))
		e.number("LULL_INPUT_LENGTH", uint64(t.Split.Ranges[0].Length))
	}
	if t.Split.Param != "" || t.ofEach() {
		e.set("LULL_PARAM", t.Split.Param)
	}
}

// ofEach reports whether a line of `each:` made the task. Scripts expect LULL_PARAM then, also for an empty line.
func (t *Task) ofEach() bool {
	return len(t.Split.Ranges) == 0 && (t.Stage.List != "" || len(t.Stage.Splits) > 0)
}

func (e *environ) addPartitions(t *Task) {
	if t.Stage.Partitions > 0 {
		e.number("LULL_PARTITIONS", uint64(t.Stage.Partitions))
	}
	if slices.ContainsFunc(t.Stage.From, func(f spec.From) bool { return f.Partition }) {
		e.number("LULL_PARTITION", uint64(t.TaskID.Task))
	}
}

// addAmbient adds the trace of the job, the PATH, and the language of the agent.
func (e *environ) addAmbient(t *Task) {
	if t.Trace != "" {
		e.set("TRACEPARENT", t.Trace)
	}
	e.set("PATH", cmp.Or(t.Path, DefaultPath))
	e.set("LANG", cmp.Or(os.Getenv("LANG"), inherited["LANG"]))
}

// threads are the variables from which libraries and runtimes take the number of their threads.
var threads = []string{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GOMAXPROCS"}

// addThreads bounds the threads of programs that would otherwise start one for each core of the host: a task has some
// of these only, and its threads would wait for each other.
func (e *environ) addThreads(t *Task) {
	for _, name := range threads {
		e.number(name, uint64(max(1, t.Stage.CPU)))
	}
}

// addUser adds the name of the user, which is its number if the host knows none. Programs look there before they ask the
// system, which has no answer for the user of a slot.
func (e *environ) addUser(t *Task) {
	name := t.User.Login()
	e.set("USER", name)
	e.set("LOGNAME", name)
	e.set("SHELL", "/bin/sh")
}

// addHomes adds the folders that programs write to by default. A task that runs as another user
// than the agent does not get the agent's home.
func (e *environ) addHomes(t *Task) {
	e.set("TMPDIR", store.Temp(t.Folder))
	if len(t.Stage.Sent) > 0 {
		e.set("LULL_FILES", t.Folder.Work())
	}
	e.set("LULL_PROGRESS", ProgressFile(t.Folder))
	e.set("LULL_STOP_REASON", StopFile(t.Folder))
	if t.User.IsAgent() {
		e.set("HOME", cmp.Or(os.Getenv("HOME"), inherited["HOME"]))
		return
	}
	e.set("HOME", t.Folder.Work())
}

// inherited are the values of an agent that has none itself.
var inherited = map[string]string{"HOME": "/", "LANG": "C.UTF-8"}

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

// ProgressFile returns the file to which an attempt may report its progress. It lies in the
// attempt's working folder, and does not exist until the task makes it.
func ProgressFile(f store.Folder) string { return f.Work() + "/lull-progress" }

// StopFile returns the file in which an attempt finds why it is to end. It lies in the attempt's working
// folder, and does not exist until a signal is about to come.
func StopFile(f store.Folder) string { return f.Work() + "/lull-stop-reason" }
