package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// AfterJob is a job that must have ended before tasks of another one run.
type AfterJob struct {
	Job string `msgpack:"job"`          // its id
	On  string `msgpack:"on,omitempty"` // how it must have ended: OnFailed or OnAny, "" for OnOK
}

// How an earlier job must have ended.
const (
	OnOK     = "ok"     // it has finished
	OnFailed = "failed" // it has failed, or was cancelled or rejected
	OnAny    = "any"    // in any way
)

// What becomes of a job if another one of the same name and user is open.
const (
	IfRunningSkip    = "skip"    // the new job is rejected
	IfRunningQueue   = "queue"   // the new job runs after the others
	IfRunningReplace = "replace" // the others are cancelled
)

// IfRunnings lists the values of Job.IfRunning, besides "": both jobs run.
func IfRunnings() []string { return []string{IfRunningSkip, IfRunningQueue, IfRunningReplace} }

// MaxAfterJobs bounds the jobs that one job waits for.
const MaxAfterJobs = 100

// WaitsForJobs reports whether the job says how it stands to other jobs.
func WaitsForJobs(j *Job) bool { return len(j.AfterJobs) > 0 || j.IfRunning != "" }

// ParseAfterJob reads JOB, JOB:ok, JOB:failed or JOB:any.
func ParseAfterJob(text string) (a AfterJob, err error) {
	job, on, given := strings.Cut(text, ":")
	a = AfterJob{Job: job, On: on}
	if given && on != OnOK && on != OnFailed && on != OnAny {
		return a, fmt.Errorf("%.80q does not say how the job must have ended: write JOB, JOB:failed or JOB:any", text)
	}
	if on == OnOK {
		a.On = ""
	}
	return a, a.check()
}

func (a AfterJob) String() string {
	if a.On == "" {
		return a.Job
	}
	return a.Job + ":" + a.On
}

// maxID is the greatest length of a job's id in bytes.
const maxID = 2 * maxName

func (a AfterJob) check() error {
	bad := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	switch {
	case a.Job == "":
		return fmt.Errorf("the id of the job is missing: is a variable unset?")
	case len(a.Job) > maxID || strings.ContainsFunc(a.Job, bad):
		return fmt.Errorf("%.80q is not the id of a job: write an id that lull submit printed", a.Job)
	case a.On != "" && a.On != OnFailed && a.On != OnAny:
		return fmt.Errorf("%.80q is no end of a job: write failed or any, or leave it out", a.On)
	}
	return nil
}

// otherJobsFields are the fields that say how a job stands to other jobs.
func otherJobsFields(d *Doc) []field {
	return []field{
		field{name: "after_job", read: readAfterJob(d), form: textsForm}.says("Ids of jobs that must have ended before tasks of this one run, each as `JOB` (it has finished), " +
			"`JOB:failed` (it has failed, or was cancelled or rejected) or `JOB:any`. The deadline counts from submission on all the same. If a job ends otherwise, this one is cancelled."),
		field{name: "if_running", read: readIfRunning(d), form: ifRunningForm}.says("What becomes of the job if another one of the same name and user is open. `skip`: this one is rejected. " +
			"`queue`: it runs after the others, however they end. `replace`: the others are cancelled. Default: both run."),
	}
}

func readAfterJob(d *Doc) func(value) error {
	one := func(_ int, v value) error {
		text, err := v.text()
		if err != nil {
			return err
		}
		if _, err := ParseAfterJob(text); err != nil {
			return v.faultf("%v", err)
		}
		d.AfterJob = append(d.AfterJob, text)
		return nil
	}
	return func(v value) error {
		if _, ok := v.node.(*ast.SequenceNode); ok {
			return v.list(one)
		}
		return one(0, v)
	}
}

func readIfRunning(d *Doc) func(value) error {
	return func(v value) (err error) {
		if d.IfRunning, err = v.text(); err == nil && !slices.Contains(IfRunnings(), d.IfRunning) {
			err = v.faultf("%q is not known: write skip, queue or replace", d.IfRunning)
		}
		return err
	}
}

func ifRunningForm(*field) *Schema { return &Schema{Type: "string", Enum: IfRunnings()} }

// toOtherJobs gives a job what the document says of other jobs.
func toOtherJobs(d *Doc, j *Job) error {
	j.IfRunning = d.IfRunning
	for i, text := range d.AfterJob {
		after, err := ParseAfterJob(text)
		if err != nil {
			return faultf(index("after_job", i), "%v", err)
		}
		j.AfterJobs = append(j.AfterJobs, after)
	}
	return nil
}

// checkOtherJobs checks what the job says of other jobs.
func checkOtherJobs(j *Job) error {
	if len(j.AfterJobs) > MaxAfterJobs {
		return faultf("after_job", "the job waits for %d jobs: name at most %d", len(j.AfterJobs), MaxAfterJobs)
	}
	for i, a := range j.AfterJobs {
		if err := a.check(); err != nil {
			return faultf(index("after_job", i), "%v", err)
		}
	}
	if j.IfRunning != "" && !slices.Contains(IfRunnings(), j.IfRunning) {
		return faultf("if_running", "%q is not known: write skip, queue or replace", j.IfRunning)
	}
	return nil
}

// recoverOtherJobs is the inverse of toOtherJobs.
func recoverOtherJobs(d *Doc, j *Job) {
	d.IfRunning = j.IfRunning
	for _, after := range j.AfterJobs {
		d.AfterJob = append(d.AfterJob, after.String())
	}
}
