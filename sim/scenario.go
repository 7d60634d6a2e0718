package sim

import (
	"time"

	"lull/admission"
	"lull/placer/topology"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/spec"
)

// Scenario is a cluster, what its primaries do, and what is submitted to it.
type Scenario struct {
	// Seed of all that is drawn.
	Seed  uint64
	Hosts []Host
	// Jobs by time of submission.
	Jobs []Job
	// Types say how long tasks really take. For a model without a type, a task's work is its stage's
	// Estimate, and work is conserved (tct.Default).
	Types []Truth
	// Models are those that were learnt before the run. They are the first entries of the log.
	Models []subjects.Fitted
	// Tenants is what a classifier reported before the run: see classifier.Events. Defaults to
	// nothing; there is no classifier in the run.
	Tenants []subjects.Event
	// Queues are the settings of queues before the run.
	Queues []subjects.Shared
	// DataNodes are the data nodes with a limited capacity.
	DataNodes []DataNode
	// Topology is the links between hosts, by their names, and their disks. A task gets what it reads of earlier
	// stages over them before it begins. Defaults to none: outputs move in no time.
	Topology *topology.Tree

	Admission admission.Config
	Slotter   slotter.Config
	// Telemetry is the longest time between two usage samples and two heartbeats of a host. A
	// change of its idle cores by a hundredth of a core is published at once, but not more than
	// once a second. It must be below Slotter.Stale. Half of a long run on many hosts is telemetry;
	// a longer time only publishes unchanged values less often. Defaults to 1 s, as monitors do.
	Telemetry time.Duration
	// Coarse is for data centres over weeks. A host publishes its usage, without averaging it, only when
	// another number of whole cores is in use, and hosts with the same Load (a pointer) share one timer. Telemetry defaults to an
	// hour then, and the services' bounds on the age of samples to a multiple. A test holds it near the exact way.
	Coarse bool
	// Overhead is the time from a task's assignment to its process. Defaults
	// to 1 ms.
	Overhead time.Duration
	// Replicas of admission and slotter, one of each leading. Defaults to 1.
	Replicas int
	// Classifiers is the number of replicas of the classifier, each on a machine of its own. Defaults to
	// none.
	Classifiers int
	// Placers is the number of replicas of the placer, each on a machine of its own. Defaults to none.
	Placers int
	// Network is an operator's description of the links between hosts, given before the run. Defaults to
	// none.
	Network *subjects.Wired
	// Classify is the time between two requests for a generation of classes. Defaults to none but the
	// classifier's own.
	Classify time.Duration
	// Past are the blocks that enter the pool's stream of history, by time.
	Past []Past
	// SnapshotEvery and Keep are those of actors.Role for admission and
	// slotter. They default to what lull's services have.
	SnapshotEvery, Keep uint64
	// Faults is the plan of what fails. Defaults to none.
	Faults Faults
	// Until ends the run. Defaults to when every job has ended.
	Until time.Duration
	// Watch sees every entry of the log as it is appended. It must not keep
	// the event. Defaults to none.
	Watch func(at time.Duration, seq uint64, e subjects.Event)
}

// Past is a block of a host's history, and when the stream gets it.
type Past struct {
	At    time.Duration
	Host  string
	Block history.Block
}

// Host is a machine with its primary tenant.
type Host struct {
	Name string
	// Cores of the machine. Slots default to Cores, Memory to 2 GiB a slot.
	Cores, Slots uint32
	Memory       int64
	// Labels are sorted key=value pairs.
	Labels []string
	// Tenant owns the primary; "" is one of its own.
	Tenant string
	// Reserve is the number of cores that the host keeps idle beside what its
	// primary uses and the slots in use. Defaults to none.
	Reserve uint32
	// Blind hosts do not report what their primary uses: all cores count as idle.
	Blind bool
	// Alike hosts divide their cores between primary and batch work by what each wants: the primary has no
	// priority.
	Alike bool
	// Load is what the primary uses; nil is a dedicated host.
	Load Load
	// Usual is what the primary left idle on average in the week before the run, in cores. Defaults to 0: that
	// was not observed.
	Usual float64
	// Waits is what the primary waits for because of batch work. Defaults to nothing: the
	// host needs no guard then.
	Waits Waits
}

// Load is what a primary tenant uses, in cores, as a step function of time.
type Load interface {
	// At returns the cores used at t, and until when that stays so. The end of
	// time is 1<<63 - 1.
	At(t time.Duration) (cores float64, until time.Duration)
}

// Job is a submission.
type Job struct {
	At   time.Duration
	Spec spec.Job // DeadlineIn counts from At
	// Patience is how long after its deadline (or, without one, after At) its
	// client cancels the job if it has not ended. 0: never.
	Patience time.Duration
}

// Truth is how long a model's tasks really take, which no service knows.
type Truth struct {
	// Type is the model's name, as spec.Job.Model gives it.
	Type string `json:"type"`
	// Points are seconds by rising residual. Between them the logarithm of the
	// time is linear; outside work is conserved.
	Points []Point `json:"points"`
	// Noise is the standard deviation of the logarithm of a task's own factor, which has a mean of
	// 1.
	Noise float64 `json:"noise,omitempty"`
	// Size is the input of a task, in bytes, that Points are for; the time
	// grows in proportion. 0: the input does not matter.
	Size float64 `json:"size,omitempty"`
	// Gives is what a task writes for each byte that it reads: what later stages read. 0: what the
	// document says of the stage (spec.Stage.Yield and Gives), nothing if it says nothing.
	Gives float64 `json:"gives,omitempty"`
	// Read is the rate at which a task reads on an idle core, in bytes/s.
	Read float64 `json:"read,omitempty"`
}

// Point is a task's time at a residual.
type Point struct {
	Residual float64 `json:"residual"`
	Seconds  float64 `json:"seconds"`
}

// DataNode is a data node. Tasks of stages that name it share its capacity. When they want more,
// all of them slow down alike.
type DataNode struct {
	Name     string
	Capacity float64 // bytes/s
}
