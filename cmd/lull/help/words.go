package help

import "github.com/spf13/cobra"

// words is the topic that explains lull's terms.
func words() *cobra.Command {
	return &cobra.Command{Use: "words", Short: "The terms that lull uses, each in a sentence or two", Long: glossary}
}

const glossary = `primary     The work that a host is there for, such as a web server or a database. It
            comes first: lull's tasks get the CPU that it leaves idle.
harvested   CPU that the primary left idle and that tasks used.
pool        Hosts that share one log and the services that decide. A client names it
            with --pool.
host        A machine that runs lull's agent.
slot        Room for one task of one core on a host. A task of two cores takes two.
residual    The share of a slot's core that the primary leaves to a task: 0.4 means that
            a task runs with 40 % of a core.
class       The scheduling class of tasks in the kernel: SCHED_IDLE, or cgroups with
            cpu.idle or a low weight. The kernel runs them when the primary does not.
job         A document that was submitted, with one or more stages.
stage       Tasks of a job that run the same command, each on its part of the input. A
            stage begins when the stages that it reads or names under after: are done.
task        One run of a stage's command on one part of the input, named STAGE/NUMBER
            from 0, such as map/3.
attempt     One try to run a task. A task may have several; the first to finish counts.
eviction    The end of an attempt because the primary, or a job with a nearer deadline,
            needs the room. The task runs again elsewhere; that costs no retry.
retry       A further attempt after a failure. When a stage's retries: are used up, the
            task and with it the job fails.
admission   The service that accepts a job, or rejects one of which the deadline cannot
            be kept, with the earliest deadline that can.
slotter     The service that gives free slots to waiting tasks.
deadline    When a job has to be done. A job without one uses what others leave.
slack       How long before its deadline a job is predicted to end; below zero: after it.
type        Jobs that behave alike (type: in the document, else the job's name). lull
            learns task times for each type and stage.
model       What was learnt of a type: task time as a function of the residual.
queue       Jobs that share one weight. Queues that have work share the pool by weight.
pace        The rate in bytes/s to which the tasks of a queue are limited while others
            compete for what the pool can read.
data node   A place that tasks read from: a file server, a disk, a web server, another
            host. Too many readers slow each other down.
placer      The service that chooses hosts for jobs whose stages exchange data.
classifier  The service that learns from the history of hosts how tenants use them.
tenant      The owner of a host's primary: as an operator listed it (` + "`lull tenants set`" + `),
            else as the agent names it (--tenant). ` + "`lull harm`" + ` sums up by tenant, and
            ` + "`lull tenants`" + ` shows the pattern of each one's usage.
pattern     How a tenant's usage changes over time: periodic (each day is like the
            last), constant, or unpredictable.
tenant class  Tenants of one pattern whose usage is alike.
guard       The part of the agent that measures how long the primary's threads wait for
            a CPU because of tasks, and takes cores from tasks when that is too much.`
