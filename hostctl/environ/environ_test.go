package environ

import (
	"slices"
	"strings"
	"testing"

	"lull/actors/account"
	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/spec"
)

func TestTheStagesOwnVariablesReplaceOthers(t *testing.T) {
	t.Setenv("PATH", "/agent/bin")
	t.Setenv("SECRET", "of the agent")
	env := Of(Task{
		Task:  actor.Task{Job: "job", TaskID: subjects.TaskID{Task: 2}, Try: 1, Attempt: 9},
		Stage: &spec.Stage{Name: "s", Tasks: 3, Env: []string{"PATH=/own", "LULL_TASK=7", "X=1"}},
		Split: spec.Split{Param: "p", Ranges: []spec.Range{{Path: "/f", Offset: 5, Length: 6}}},
		List:  "/list",
	})
	for _, want := range []string{
		"LULL_JOB=job", "LULL_STAGE=s", "LULL_TASKS=3", "LULL_ATTEMPT=1", "LULL_ATTEMPT_ID=9", "LULL_INPUT_LIST=/list",
		"LULL_INPUT_OFFSET=5", "LULL_INPUT_LENGTH=6", "LULL_PARAM=p", "PATH=/own", "LULL_TASK=7", "X=1",
	} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	for _, never := range []string{"PATH=/agent/bin", "LULL_TASK=2", "SECRET=of the agent"} {
		if slices.Contains(env, never) {
			t.Errorf("environment = %q, want it without %s", env, never)
		}
	}
}

func TestPathIsTheSameWhateverTheAgentHas(t *testing.T) {
	t.Setenv("PATH", "/agent/bin:/usr/bin")
	task := Task{Stage: &spec.Stage{Name: "s", Tasks: 1}}
	if env := Of(task); !slices.Contains(env, "PATH="+DefaultPath) {
		t.Errorf("environment = %q, want PATH=%s", env, DefaultPath)
	}
	task.Path = "/opt/bin:/bin"
	if env := Of(task); !slices.Contains(env, "PATH=/opt/bin:/bin") {
		t.Errorf("environment = %q, want the owner's PATH=/opt/bin:/bin", env)
	}
}

func TestDocumentsMaySetNoneOfLullsOwnVariables(t *testing.T) {
	env := Of(Task{
		Stage: &spec.Stage{Name: "s", Tasks: 1, Partitions: 2, From: []spec.From{{Partition: true}}, Sent: []spec.Sent{{}}},
		Split: spec.Split{Param: "p", Ranges: []spec.Range{{Path: "/f", Length: 6}}},
		List:  "/list", Label: "/f",
	})
	own := 0
	for _, pair := range env {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "LULL_") {
			continue
		}
		own++
		if spec.CheckVariable(name) == nil {
			t.Errorf("CheckVariable(%s) = nil, want an error: a task's own", name)
		}
	}
	if own != len(spec.Variables) {
		t.Errorf("variables of a task = %d, want %d as in the contract", own, len(spec.Variables))
	}
}

func TestAnEmptyLineIsAParameter(t *testing.T) {
	for _, stage := range []*spec.Stage{{Name: "s", List: "l"}, {Name: "s", Splits: []spec.Split{{}}}} {
		if env := Of(Task{Stage: stage}); !slices.Contains(env, "LULL_PARAM=") {
			t.Errorf("environment = %q, want an empty LULL_PARAM", env)
		}
	}
	for _, task := range []Task{{Stage: &spec.Stage{Name: "s"}}, {Stage: &spec.Stage{Name: "s", List: "l"}, Split: spec.Split{Ranges: []spec.Range{{}}}}} {
		if env := Of(task); slices.Contains(env, "LULL_PARAM=") {
			t.Errorf("environment = %q, want no LULL_PARAM: no line made the task", env)
		}
	}
}

// Libraries that ask the system for a user without a name end with an error.
func TestTheUserHasAName(t *testing.T) {
	for user, want := range map[account.User]string{{UID: 2109371649, GID: 65534}: "2109371649", account.Nobody: "nobody", {}: account.User{}.Login()} {
		env := Of(Task{Stage: &spec.Stage{Name: "s"}, User: user})
		if !slices.Contains(env, "USER="+want) || !slices.Contains(env, "LOGNAME="+want) || want == "" {
			t.Errorf("environment of %v = %q, want USER and LOGNAME %s", user, env, want)
		}
	}
}

// Programs would otherwise start a thread for each core of the host.
func TestThreadsAreThoseOfTheTasksCores(t *testing.T) {
	for cores, want := range map[spec.Cores]string{2 * spec.Core: "2", spec.Core / 4: "1", 3 * spec.Core / 2: "2", 0: "1"} {
		env := Of(Task{Stage: &spec.Stage{Name: "s", CPU: cores.Slots(), Part: cores.Part(), Env: []string{"MKL_NUM_THREADS=7"}}})
		for _, pair := range []string{"OMP_NUM_THREADS=" + want, "OPENBLAS_NUM_THREADS=" + want, "GOMAXPROCS=" + want, "MKL_NUM_THREADS=7", "SHELL=/bin/sh"} {
			if !slices.Contains(env, pair) {
				t.Errorf("environment of a task of %v cores = %q, want %s", cores, env, pair)
			}
		}
		if slices.Contains(env, "MKL_NUM_THREADS="+want) {
			t.Errorf("environment = %q, want the stage's own MKL_NUM_THREADS alone", env)
		}
	}
}
