package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// foreignForms say what to write for fields of Kubernetes, Slurm and Nomad that have no single counterpart of their own
// name. The names are in lower case, without dashes and underscores.
var foreignForms = map[string]string{
	"parallelism": "write `at_once: 20` for at most 20 tasks at the same time", "concurrency": "write `at_once: 20` for at most 20 tasks at the same time",
	"maxparallel": "write `at_once: 20` for at most 20 tasks at the same time", "maxconcurrency": "write `at_once: 20` for at most 20 tasks at the same time",
	"throttle":       "write `at_once: 20` for at most 20 tasks at the same time",
	"completions":    "write `tasks: 20` in a stage for 20 tasks, and `at_once: 5` for at most 5 of them at the same time",
	"completionmode": "leave it out: each task has a number, `$LULL_TASK`",
	"backofflimit":   "write `retries: 6` for each task's own retries, and `max_failures: 6` if so many tasks may fail for good",
	"restart":        restarts,
	"restartpolicy":  restarts,
	"requeue":        "leave it out: a task that the host's own work ends runs again, and `retries: 3` counts only failures",

	"podfailurepolicy": "write `on_exit: {42: fail, 75: again}` for what follows from exit codes",

	"activedeadlineseconds": "write `wall: 1h` for how long each attempt may take by the clock; `deadline: 2h` is when the job is to be done, and ends nothing",
	"time":                  walls, "walltime": walls, "timelimit": walls,

	"terminationgraceperiodseconds": graces, "killtimeout": graces, "killwait": graces,
	"killsignal": "leave it out: tasks get SIGTERM, and SIGKILL after `grace: 30s`; `warn: {before: 2m, signal: USR1}` sends another signal ahead of `timeout`",

	"ttl": lifetime, "ttlsecondsafterfinished": lifetime,
	"array": "write `each: 1..1000`, and `at_once: 20` for at most 20 tasks at the same time; each task finds its number in `$LULL_PARAM`",

	"dependency": "stages of one job wait for each other: write `after: [build]` in the later stage, and `when: failure` there if it runs only after a failure",
	"ntasks":     "write `tasks: 20` in a stage", "cpuspertask": "write `cpu: 4` in a stage", "mempercpu": "write `memory: 2GB` for all of a task",

	"image": container, "container": container, "docker": container,
}

const (
	restarts  = "write `retries: 3` and `backoff: 15s`: a task that failed is tried again, and one that the host's own work ended always is"
	walls     = "write `wall: 1h` for how long an attempt may take by the clock, or `timeout: 1h` for the time in which it could run"
	graces    = "write `grace: 30s` for the time between SIGTERM and SIGKILL"
	lifetime  = "leave it out: the pool forgets ended jobs by itself, the oldest first, and `output: DIR` keeps their results in a folder"
	container = "tasks are programs of the host, and lull starts no containers: install the program on the hosts, or send it along with `files:`. " +
		"What makes namespaces of its own, such as bubblewrap or podman, is refused them where tasks are fenced (`lull doctor` says so)"
)

// foreignForm says what to write for a field of another system and its value; "" if it is no such field. Flags of sbatch
// are written with their dashes, too.
func foreignForm(name string, v value) string {
	name = strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	text, _ := v.scalar()
	switch name {
	case "array":
		if form := arrayForm(text); form != "" {
			return form
		}
	case "time", "walltime", "timelimit":
		if d, ok := slurmTime(text); ok {
			return fmt.Sprintf("write `wall: %s` for the time by the clock, or `timeout: %[1]s` for the time in which it could run", shortSpan(d))
		}
	case "activedeadlineseconds", "terminationgraceperiodseconds":
		if n, err := strconv.ParseUint(text, 10, 31); err == nil && n > 0 {
			return strings.NewReplacer("wall: 1h", "wall: "+shortSpan(time.Duration(n)*time.Second), "grace: 30s", "grace: "+shortSpan(time.Duration(n)*time.Second)).Replace(foreignForms[name])
		}
	}
	return withNumber(foreignForms[name], text)
}

var sample = regexp.MustCompile(`^(write .(?:at_once|tasks|retries|cpu): )[0-9]+(.*?)(?: for at most [0-9]+ tasks at the same time)?$`)

// withNumber puts the number that stands in the document into the form to write.
func withNumber(form, text string) string {
	if n, err := strconv.ParseUint(text, 10, 31); err != nil || n == 0 {
		return form
	}
	return sample.ReplaceAllString(form, "${1}"+text+"${2}")
}

var slurmArray = regexp.MustCompile(`^([0-9]+)-([0-9]+)(?:%([0-9]+))?$`)

// arrayForm is what to write for an array of Slurm such as 1-1000%20, "" for other forms.
func arrayForm(text string) string {
	m := slurmArray.FindStringSubmatch(text)
	switch {
	case m == nil:
		return ""
	case m[3] == "":
		return fmt.Sprintf("write `each: %s..%s`; each task finds its number in `$LULL_PARAM`", m[1], m[2])
	}
	return fmt.Sprintf("write `each: %s..%s` and `at_once: %s`; each task finds its number in `$LULL_PARAM`", m[1], m[2], m[3])
}

var slurmClock = regexp.MustCompile(`^(?:([0-9]{1,3})-)?([0-9]{1,3}):([0-9]{2})(?::([0-9]{2}))?$`)

// slurmTime is a time limit of Slurm: minutes, MM:SS, HH:MM:SS, D-HH:MM or D-HH:MM:SS.
func slurmTime(text string) (time.Duration, bool) {
	if n, err := strconv.ParseUint(text, 10, 20); err == nil && n > 0 {
		return time.Duration(n) * time.Minute, true
	}
	m := slurmClock.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n := func(i int) time.Duration { d, _ := strconv.Atoi(m[i]); return time.Duration(d) }
	d := n(1)*24*time.Hour + n(2)*time.Hour + n(3)*time.Minute + n(4)*time.Second
	if m[1] == "" && m[4] == "" {
		d = n(2)*time.Minute + n(3)*time.Second
	}
	return d, d > 0
}

// shortSpan is a duration without parts that are zero: 1h30m.
func shortSpan(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
