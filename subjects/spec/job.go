package spec

import "time"

// Job is a job's specification in its canonical form: what the log keeps and
// every service reads. Documents that people and clients write become a Job
// through Parse; Validate says whether a Job holds together.
type Job struct {
	Name  string `msgpack:"name"`
	Type  string `msgpack:"type"` // completion-time model; the name unless given
	Queue string `msgpack:"queue,omitempty"`
	// DeadlineIn counts from submission, DeadlineAt is Unix nanoseconds; at
	// most one is not zero.
	DeadlineIn time.Duration `msgpack:"deadline_in,omitempty"`
	DeadlineAt int64         `msgpack:"deadline_at,omitempty"`
	// Late means that the deadline is a wish: if it cannot be kept, the job runs after all jobs
	// with deadlines that can.
	Late bool `msgpack:"late,omitempty"`
	// Output is the absolute folder where the results of the final stages are
	// published, "" for none.
	Output string `msgpack:"output,omitempty"`
	// Replace removes the results of other jobs in Output when this job's take their place.
	// Otherwise the last ones are kept beside them.
	Replace bool `msgpack:"replace,omitempty"`
	// AtOnce is how many tasks of all stages run at once at most, 0 for no bound.
	AtOnce uint32 `msgpack:"at_once,omitempty"`
	// Place is how hosts are chosen for a job whose stages exchange data: one of the words below,
	// "" for fast where that is worth it.
	Place string `msgpack:"place,omitempty"`
	// Origin is the host name of the machine that Output and the inputs are paths of; publishing
	// prefers that host.
	Origin string `msgpack:"origin,omitempty"`
	// AfterJobs are jobs that must have ended before tasks of this one run. Readers of before Format 6 pass over them.
	AfterJobs []AfterJob `msgpack:"after_jobs,omitempty"`
	// IfRunning says what becomes of the job if another one of its name and user is open: one of the words of
	// after_job.go, "" for nothing.
	IfRunning string  `msgpack:"if_running,omitempty"`
	Stages    []Stage `msgpack:"stages"`
}

// DefaultQueue is where jobs wait that name no queue.
const DefaultQueue = "default"

// Share returns the queue that the job's part of the pool is counted in.
func (j *Job) Share() string {
	if j.Queue == "" {
		return DefaultQueue
	}
	return j.Queue
}

// Model names the completion-time model of a stage's tasks. It is the job's type, with the stage's
// name if the job has several stages, because a map says nothing about a reduce. Copying results is
// lull's own work, and the same for all.
func (j *Job) Model(stage int) string {
	switch {
	case j.Stages[stage].Publish:
		return PublishModel
	case j.hasOneStage():
		return j.Type
	}
	return j.Type + ":" + j.Stages[stage].Name
}

// hasOneStage reports whether the job has one stage of its own.
func (j *Job) hasOneStage() bool {
	own := 0
	for i := 0; i < len(j.Stages) && own < 2; i++ {
		if !j.Stages[i].Publish {
			own++
		}
	}
	return own == 1
}

// Stage is a set of tasks that run one command.
type Stage struct {
	Name string   `msgpack:"name"`
	Argv []string `msgpack:"argv"` // a shell string arrives as sh -c
	Env  []string `msgpack:"env,omitempty"`
	Dir  string   `msgpack:"dir,omitempty"` // working folder; the task's own scratch folder if empty
	// Vars are the names of variables that differ from task to task: see Split.
	Vars []string `msgpack:"vars,omitempty"`
	// Sent are files that each task finds in a copy of its own: those of the job, and the stage's.
	Sent []Sent `msgpack:"sent,omitempty"`
	// Tasks is how many tasks the stage has, at least 1.
	Tasks uint32 `msgpack:"tasks"`
	// List names the object prefix that holds the splits of the tasks, in
	// chunks of Chunk tasks; "" when the tasks have no split. See the type.
	List string `msgpack:"list,omitempty"`
	// Chunk is 1 to ChunkTasks; 0 means ChunkTasks.
	Chunk uint32 `msgpack:"chunk,omitempty"`
	// Splits hold the splits inline, one a task, for short lists.
	Splits []Split `msgpack:"splits,omitempty"`
	// Stdin names the standard input that the one task gets from the `lull run` in whose process the host's
	// agent runs, "" for none.
	Stdin string   `msgpack:"stdin,omitempty"`
	From  []From   `msgpack:"from,omitempty"`  // stages that the tasks read
	After []uint32 `msgpack:"after,omitempty"` // further stages that must be done first
	// Partitions is set by the stage's reader: how many parts its tasks write.
	// 0 when no later stage reads it by partition.
	Partitions uint32 `msgpack:"partitions,omitempty"`

	// AtOnce is how many tasks of the stage run at once at most, 0 for no bound.
	AtOnce uint32 `msgpack:"at_once,omitempty"`
	// CPU is the cores of a task, rounded up: the slots that it takes a place in. Of the last one
	// it takes Part thousandths, 0 for all of it. See Cores.
	CPU     uint32        `msgpack:"cpu"`
	Part    uint32        `msgpack:"part,omitempty"`
	Memory  int64         `msgpack:"memory"`          // bytes a task
	Where   []string      `msgpack:"where,omitempty"` // labels a host must carry, key=value
	Retries uint32        `msgpack:"retries"`
	Backoff time.Duration `msgpack:"backoff"`           // before the first retry; doubles each time
	Timeout time.Duration `msgpack:"timeout,omitempty"` // of time in which an attempt can run; 0: none
	Wall    time.Duration `msgpack:"wall,omitempty"`    // since an attempt's start; 0: no bound
	OnExit  []Exit        `msgpack:"on_exit,omitempty"` // by status
	Ending
	Outcome
	// Estimate is the task's time on an idle core, if the user knows it.
	Estimate time.Duration `msgpack:"estimate,omitempty"`
	// Gives is how many bytes a task gives to its readers for each byte that it reads, and Yield how many
	// it gives in all; 0 if the user does not know it.
	Gives float64 `msgpack:"gives,omitempty"`
	Yield int64   `msgpack:"yield,omitempty"`
	// Bytes is the input of a task on average, 0 if it is not known.
	Bytes int64 `msgpack:"bytes,omitempty"`
	// Sources name the data nodes that the tasks read their input from: see
	// package lull/client/pin for their form.
	Sources []string `msgpack:"sources,omitempty"`
	// Publish marks the stage that lull adds to a job with an Output. Its one task copies the
	// results of the stages it reads to their place.
	Publish bool `msgpack:"publish,omitempty"`
}

// From says that a stage reads what an earlier one wrote.
type From struct {
	Stage uint32 `msgpack:"stage"`
	// Partition: task p reads the files named part-<p> of every task. Element: task i reads
	// the files of task i. Otherwise each task reads all files of all tasks.
	Partition bool `msgpack:"partition,omitempty"`
	Element   bool `msgpack:"element,omitempty"`
}

// ChunkTasks is the greatest number of tasks whose splits share one object.
const ChunkTasks = 1024

// Chunk is an object with the splits of the tasks [k·n, (k+1)·n), in msgpack, under the name that
// ChunkName gives it. n is Stage.Chunk.
type Chunk struct {
	Splits []Split `msgpack:"splits"`
}

// Split is one task's share of the input: ranges of files, or a parameter.
type Split struct {
	Ranges []Range `msgpack:"ranges,omitempty" json:"ranges,omitempty"`
	Param  string  `msgpack:"param,omitempty" json:"param,omitempty"`
	// Vars are the task's values of Stage.Vars.
	Vars []string `msgpack:"vars,omitempty" json:"-"`
}

// Range is a piece of a file, pinned to the file's size and time at submission. A range that begins
// after byte 0 begins after the first line end at or after Offset−1. One that ends before Size
// goes on to the next line end. So each line belongs to the range that has its first byte.
type Range struct {
	Path  string `msgpack:"path" json:"path"` // absolute, or a URL
	Size  int64  `msgpack:"size" json:"size"`
	MTime int64  `msgpack:"mtime" json:"mtime,omitempty"` // Unix nanoseconds, negative before 1970; 0: unchecked
	// Tag is the entity tag of a URL, "" for none. Of a file see FileTag.
	Tag    string `msgpack:"tag,omitempty" json:"tag,omitempty"`
	Offset int64  `msgpack:"offset,omitempty" json:"offset,omitempty"`
	Length int64  `msgpack:"length" json:"length"`
	// Ends says that a line end is put behind the piece if it has none, because another file's lines follow. Agents that
	// do not know it put none.
	Ends bool `msgpack:"ends,omitempty" json:"ends,omitempty"`
}
