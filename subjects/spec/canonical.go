package spec

import (
	"slices"
	"time"
)

// PublishName is the name of the stage that lull adds to a job with an output.
const PublishName = "publish"

// What a stage has unless it says otherwise.
const (
	DefaultCPU     = 1
	DefaultMemory  = 256_000_000 // bytes
	DefaultRetries = 3
	DefaultBackoff = time.Second
	publishMemory  = 64_000_000
)

// Job returns the canonical form of a document with filled-in inputs, or an *Error.
func (d *Doc) Job() (Job, error) {
	j, err := d.draft()
	if err != nil {
		return Job{}, err
	}
	if d.Deadline != "" && j.DeadlineIn == 0 && j.DeadlineAt == 0 {
		return Job{}, d.Errorf("deadline", "a time of day says no day: call Fix first")
	}
	if d.Files != nil {
		return Job{}, d.Errorf("files", unsent)
	}
	for i, s := range d.Stages {
		if s.Files != nil {
			return Job{}, d.Errorf(index("stages", i)+".files", unsent)
		}
		if s.EnvFile != nil {
			return Job{}, d.Errorf(index("stages", i)+".env_file",
				"this is a file of the machine that submits: send the job with lull submit, or give env instead")
		}
		if s.Inputs != nil || s.Each != nil && s.Each.File != "" {
			return Job{}, d.Errorf(index("stages", i)+"."+s.ways()[0],
				"these are files of the machine that submits: send the job with lull submit, or give splits instead")
		}
	}
	if err := j.checkPaths(); err != nil { // the rest of Validate is in draft
		return Job{}, d.place(err)
	}
	return j, nil
}

const unsent = "these are files of the machine that submits: send the job with lull submit"

// draft returns the Job as far as it is known before files are looked up: a stage with unknown
// tasks counts as one task. Its structure is valid.
func (d *Doc) draft() (Job, error) {
	if err := d.check(); err != nil {
		return Job{}, d.place(err)
	}
	j := Job{Name: d.Name, Type: d.Type, Queue: d.Queue, Output: d.Output, Replace: d.Replace, AtOnce: d.AtOnce, Place: d.Place, Origin: d.Origin}
	if j.Type == "" {
		j.Type = d.Name
	}
	j.DeadlineIn, j.DeadlineAt, _ = deadline(d.Deadline)
	j.Late = d.Late == LateRun && d.Deadline != ""
	for i := range d.Stages {
		s, err := d.stage(i)
		if err != nil {
			return Job{}, d.place(err)
		}
		j.Stages = append(j.Stages, s)
	}
	if err := toOtherJobs(d, &j); err != nil {
		return Job{}, d.place(err)
	}
	d.matchTasks(&j)
	for i := range d.Stages {
		j.Stages[i].Outcome = d.Stages[i].outcome(j.Stages[i].Tasks)
	}
	j.partition()
	j.publish()
	if err := j.checkStructure(); err != nil {
		return Job{}, d.place(err)
	}
	return j, nil
}

func (d *Doc) stage(i int) (Stage, error) {
	s := &d.Stages[i]
	out := Stage{
		Name: s.Name, Argv: s.Command, Env: pairs(s.Env), Dir: s.Dir, Sent: s.Sent,
		Tasks: s.Tasks, List: s.List, Chunk: s.Chunk, Splits: s.Splits, Stdin: s.Stdin,
		AtOnce: s.AtOnce, CPU: s.CPU.Slots(), Part: s.CPU.Part(), Memory: s.Memory, Where: pairs(s.Where), Retries: DefaultRetries,
		Backoff: time.Duration(s.Backoff), Timeout: time.Duration(s.Timeout), Wall: time.Duration(s.Wall), Estimate: time.Duration(s.Estimate),
		Bytes: s.Bytes, Sources: canonicalSources(s.Sources),
	}
	if s.Gives != nil {
		out.Gives, out.Yield = s.Gives.Ratio, s.Gives.Bytes
	}
	if s.Each != nil {
		out.Splits = slices.Grow(out.Splits, len(s.Each.Lines))
		for _, line := range s.Each.Lines {
			out.Splits = append(out.Splits, Split{Param: line})
		}
	}
	if s.Matrix != nil {
		out.Vars, out.Splits = s.Matrix.split()
	}
	out.Ending, out.OnExit = endingOf(s), exitsOf(s)
	out.defaults()
	if s.Retries != nil {
		out.Retries = *s.Retries
	}
	return out, d.sources(index("stages", i), s, &out)
}

func (s *Stage) defaults() {
	if s.Tasks == 0 {
		s.Tasks = uint32(max(1, len(s.Splits)))
	}
	if s.CPU == 0 {
		s.CPU = DefaultCPU
	}
	if s.Memory == 0 {
		s.Memory = DefaultMemory
	}
	if s.Backoff == 0 {
		s.Backoff = DefaultBackoff
	}
}

// sources turns the names of other stages into their indices.
func (d *Doc) sources(path string, s *DocStage, out *Stage) error {
	for k, f := range s.From {
		i, err := d.index(f.Stage, index(path+".from", k)+".stage")
		if err != nil {
			return err
		}
		out.From = append(out.From, From{Stage: i, Partition: f.By == ByPartition, Element: f.By == ByTask})
	}
	for k, name := range s.After {
		i, err := d.index(name, index(path+".after", k))
		if err != nil {
			return err
		}
		out.After = append(out.After, i)
	}
	return nil
}

func (d *Doc) index(name, path string) (uint32, error) {
	i := slices.IndexFunc(d.Stages, func(s DocStage) bool { return s.Name == name })
	if i < 0 {
		return 0, faultf(path, "there is no stage %q: name a stage of this job", name)
	}
	return uint32(i), nil
}

// pairs writes a map as key=value, sorted, so that equal jobs are equal bytes.
func pairs(m map[string]string) []string {
	var list []string
	for k, v := range m {
		list = append(list, k+"="+v)
	}
	slices.Sort(list)
	return list
}

// partition sets the number of parts that each producer's readers want.
func (j *Job) partition() {
	for _, s := range j.Stages {
		for _, f := range s.From {
			if f.Partition {
				j.Stages[f.Stage].Partitions = s.Tasks
			}
		}
	}
}

// publish adds the stage that puts results in place: those of the stages that
// no other reads.
func (j *Job) publish() {
	if j.Output == "" {
		return
	}
	read := make([]bool, len(j.Stages))
	for _, s := range j.Stages {
		for _, f := range s.From {
			read[f.Stage] = true
		}
	}
	p := Stage{
		Name: PublishName, Tasks: 1, CPU: 1, Memory: publishMemory,
		Retries: DefaultRetries, Backoff: DefaultBackoff, Publish: true,
	}
	for i := range read {
		if !read[i] {
			p.From = append(p.From, From{Stage: uint32(i)})
		}
	}
	j.Stages = append(j.Stages, p)
}
