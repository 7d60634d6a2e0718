package spec

import (
	"path"
	"strings"
)

// Bounds of a Job.
const (
	maxName    = 64       // bytes
	maxCPU     = 1024     // cores of a task
	maxRetries = 1000     // of a task, in jobs of any release: see mostRetries
	maxArgs    = 4096     // arguments, and variables
	maxArgv    = 96 << 10 // bytes of arguments and variables; Linux allows 128 KiB for one
	maxMemory  = 1 << 50  // bytes of a task
	maxWhere   = 64       // labels
	maxPath    = 4096     // bytes; PATH_MAX
)

// Validate says whether a Job from anywhere holds together: numbers within
// bounds, indices that exist, no cycle, readers that agree. It takes time
// linear in the size of the Job. Errors are of type *Error, with the path of
// the field as a document spells it.
func (j Job) Validate() error {
	if err := j.checkStructure(); err != nil {
		return err
	}
	return j.checkPaths()
}

// checkPaths checks the folders that a Job names.
func (j Job) checkPaths() error {
	if err := checkPath("output", j.Output); err != nil {
		return err
	}
	for i, s := range j.Stages {
		if err := checkPath(index("stages", i)+".dir", s.Dir); err != nil {
			return err
		}
	}
	return nil
}

// ValidateShape says whether the part of a Job that scheduling reads holds
// together: what stages need, and which they wait for.
func (j Job) ValidateShape() error {
	if len(j.Stages) > MaxStages {
		return faultf("stages", "the job has %d stages: give it 1 to %d", len(j.Stages), MaxStages)
	}
	tasks := uint64(0)
	for i := range j.Stages {
		s, at := &j.Stages[i], index("stages", i)
		for _, check := range []func(string) error{s.checkResources, s.checkTimes, s.checkTasks, j.linksCheck(i)} {
			if err := check(at); err != nil {
				return err
			}
		}
		tasks += uint64(s.Tasks)
	}
	if tasks > MaxTasks {
		return faultf("stages", "the job has %d tasks, at most %d are allowed: give each task more to do", tasks, MaxTasks)
	}
	return j.checkAcyclic()
}

// checkStructure is all of Validate but the paths, which a draft has not resolved.
func (j Job) checkStructure() error {
	if err := j.checkHead(); err != nil {
		return err
	}
	names, tasks := map[string]bool{}, uint64(0)
	for i, s := range j.Stages {
		at := index("stages", i)
		if err := j.checkStage(at, i); err != nil {
			return err
		}
		if names[s.Name] {
			return faultf(at+".name", "another stage has the name %q too: give each its own", s.Name)
		}
		names[s.Name] = true
		tasks += uint64(s.Tasks)
	}
	if tasks > MaxTasks {
		return faultf("stages", "the job has %d tasks, at most %d are allowed: give each task more to do", tasks, MaxTasks)
	}
	if err := j.checkAcyclic(); err != nil {
		return err
	}
	if err := j.checkByTask(); err != nil {
		return err
	}
	return j.checkPartitions()
}

func (j Job) checkHead() error {
	if err := checkName("name", j.Name); err != nil {
		return err
	}
	if err := checkName("type", j.Type); err != nil {
		return err
	}
	if j.Queue != "" {
		if err := checkName("queue", j.Queue); err != nil {
			return err
		}
	}
	switch {
	case j.DeadlineIn < 0 || j.DeadlineIn > longest || j.DeadlineAt < 0 || j.DeadlineIn > 0 && j.DeadlineAt > 0:
		return faultf("deadline", "it must be one duration of at most ten years, or one time after 1970")
	case len(j.Origin) > maxName*4 || strings.ContainsFunc(j.Origin, control):
		return faultf("origin", "it must be a host name")
	case len(j.Stages) == 0 || len(j.Stages) > MaxStages:
		return faultf("stages", "the job has %d stages: give it 1 to %d", len(j.Stages), MaxStages)
	}
	for _, check := range []func(*Job) error{checkAtOnce, checkOtherJobs} {
		if err := check(&j); err != nil {
			return err
		}
	}
	return j.checkPlace()
}

// CheckQueue says whether a queue can have a name.
func CheckQueue(name string) error { return checkName("queue", name) }

// CheckJob returns an error if a name cannot be a job's.
func CheckJob(name string) error { return checkName("name", name) }

func checkName(at, name string) error {
	bad := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	}
	switch {
	case name == "" || len(name) > maxName || strings.ContainsFunc(name, bad):
		return faultf(at, "%.80q is not a name: use 1 to %d lower-case letters, digits, '-' and '_'", name, maxName)
	case name[0] == '-': // lull job -x and rm -rf take it for a flag
		return faultf(at, "%q begins with '-': begin it with a letter or a digit", name)
	}
	return nil
}

// checkPath wants an absolute path, or none.
func checkPath(at, p string) error {
	if p == "" {
		return nil
	}
	if !path.IsAbs(p) || len(p) > maxPath || strings.ContainsRune(p, 0) {
		return faultf(at, "%.80q is not an absolute path: begin it with '/' (lull submit makes output absolute by itself)", p)
	}
	return nil
}

func control(r rune) bool { return r < ' ' || r == 0x7f }
