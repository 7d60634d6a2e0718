package ledger

import (
	"slices"

	"lull/subjects"
)

// TaskState of a task's life.
type TaskState uint8

// States of a task.
const (
	Waiting TaskState = iota
	Held
	Done
	Dead
	Dropped // cancelled by a user
)

// task is one task, in 32 bytes: a job may have a million.
type task struct {
	attempt  uint64          // that holds it, or made its committed output
	manifest subjects.Digest // of the committed output
	host     uint32          // index into State.byID, of attempt
	counts   attemptCounts   // attempts so far, and how many of late were declined
	fails    uint8           // failures so far, at most 255
	state    TaskState
}

// Stage is the life of a stage's tasks. Its tasks wait in three queues: those
// that wait for a time, those that came back, and those never tried.
type Stage struct {
	Held, Done, Dead int
	Dropped          int    // of Dead, those that a user cancelled
	Evicted, Failed  uint32 // attempts that ended so
	Bytes            int64  // input of a task on average, 0 if it is not known

	size uint32 // tasks
	next uint32 // tasks from here on were never tried
	*taskTable
}

// taskTable is the state of a stage's tasks, once one was given away. Before that
// all stages share one that is empty: a queue of a million jobs takes no room for
// tasks that were never tried.
type taskTable struct {
	tasks    []task
	returned []uint32 // wait again after an attempt, oldest first
	delayed  []delay  // wait for the end of a backoff, by time

	// rivals of holders, by task: one a task, and few. A task that has none
	// pays nothing for them.
	rivals []*Attempt
}

var emptyTable = new(taskTable)

type delay struct {
	at   int64 // Unix nanoseconds
	task uint32
}

func newStage(tasks uint32, bytes int64) *Stage {
	return &Stage{size: tasks, Bytes: bytes, taskTable: emptyTable}
}

// Begun reports whether a task of the stage was ever given away.
func (st *Stage) Begun() bool { return st.taskTable != emptyTable }

// at is task i, to be changed.
func (st *Stage) at(i uint32) *task {
	if !st.Begun() {
		st.taskTable = &taskTable{tasks: make([]task, st.size)}
	}
	return &st.tasks[i]
}

// state returns the state of task i.
func (st *Stage) state(i uint32) TaskState {
	if !st.Begun() {
		return Waiting
	}
	return st.tasks[i].state
}

// Len is the number of tasks.
func (st *Stage) Len() int { return int(st.size) }

// Complete reports whether all tasks are done that no user cancelled.
func (st *Stage) Complete() bool { return st.Done+st.Dropped == st.Len() }

// failures is the number of tasks of a stage that failed for good.
func failures(st *Stage) int { return st.Dead - st.Dropped }

// Waiting returns the number of tasks that wait, including those in backoff.
func (st *Stage) Waiting() int { return st.Len() - st.Held - st.Done - st.Dead }

// Task returns what is known of task i.
func (st *Stage) Task(i uint32) (state TaskState, attempt uint64, tries int) {
	if !st.Begun() {
		return Waiting, 0, 0
	}
	t := &st.tasks[i]
	return t.state, t.attempt, t.counts.tries()
}

// Fails returns how often task i of a stage failed, at most 255. An output that vanished counts as well.
func Fails(st *Stage, i uint32) int {
	if !st.Begun() {
		return 0
	}
	return int(st.tasks[i].fails)
}

func (st *Stage) firstDead() uint32 {
	return uint32(slices.IndexFunc(st.tasks, func(t task) bool { return t.state == Dead }))
}

// holdTask moves a waiting task to its holder.
func (st *Stage) holdTask(i uint32, attempt uint64, host uint32) {
	t := st.at(i)
	st.unqueue(i)
	t.attempt, t.host, t.state = attempt, host, Held
	t.counts = t.counts.addTry()
	st.Held++
}

// unqueue removes a waiting task from whichever queue it stands in.
func (st *Stage) unqueue(i uint32) {
	if i >= st.next {
		st.advanceNext(i)
		return
	}
	if at := slices.Index(st.returned, i); at >= 0 {
		st.returned = without(st.returned, at)
		return
	}
	at := slices.IndexFunc(st.delayed, func(d delay) bool { return d.task == i })
	if at >= 0 {
		st.delayed = without(st.delayed, at)
	}
}

// without takes an item out of a queue. The first one goes most often: to move
// all others up would cost a lost host's hundred thousand outputs their square.
func without[T any](queue []T, at int) []T {
	if at == 0 {
		return queue[1:]
	}
	return slices.Delete(queue, at, at+1)
}

// advanceNext moves next behind task i. The tasks that it skips join those that wait again.
func (st *Stage) advanceNext(i uint32) {
	for ; st.next < i; st.next++ {
		st.returned = append(st.returned, st.next)
	}
	st.next = i + 1
}

// requeue returns a held task to the queue, not before a time (0: at once).
func (st *Stage) requeue(i uint32, notBefore int64) {
	t := st.at(i)
	t.attempt, t.state = 0, Waiting
	st.Held--
	st.enqueue(i, notBefore)
}

// enqueue adds a task to those that wait, not before a time (0: at once).
func (st *Stage) enqueue(i uint32, notBefore int64) {
	if notBefore == 0 {
		st.returned = append(st.returned, i)
		return
	}
	at, _ := slices.BinarySearchFunc(st.delayed, notBefore, func(d delay, at int64) int {
		if d.at <= at {
			return -1
		}
		return 1
	})
	st.delayed = slices.Insert(st.delayed, at, delay{notBefore, i})
}

// commit marks a task done by an attempt's output, whatever state it was in.
func (st *Stage) commit(i uint32, a *Attempt, manifest subjects.Digest) {
	t := st.at(i)
	if r := st.Rival(i); r != nil {
		r.withdraw()
	}
	switch t.state {
	case Waiting:
		st.unqueue(i)
	case Held:
		st.Held--
	case Dead:
		st.Dead--
	}
	t.state, t.attempt, t.host, t.manifest = Done, a.ID, a.Host.id, manifest
	t.counts = t.counts.resetDeclines()
	st.Done++
}

// reopen puts a done task back into the queue, not before a time (0: at once): its
// output is gone.
func (st *Stage) reopen(i uint32, notBefore int64) {
	st.tasks[i].state, st.tasks[i].attempt = Waiting, 0
	st.tasks[i].manifest = subjects.Digest{}
	st.Done--
	st.enqueue(i, notBefore)
}

// resetRetries gives dead tasks all their retries again, and opens those that a user cancelled.
func (st *Stage) resetRetries() {
	for i := range st.tasks {
		if t := &st.tasks[i]; t.state == Dead || t.state == Dropped {
			t.state, t.fails = Waiting, 0
			st.Dead--
			st.enqueue(uint32(i), 0)
		}
	}
	st.Dropped = 0
}

// reopenDone opens the tasks again that are done: what runs because of a failure runs with each.
func (st *Stage) reopenDone() {
	for i := range st.tasks {
		if st.tasks[i].state == Done {
			st.reopen(uint32(i), 0)
		}
	}
}

// Delayed is when waiting task i may be given away again: the end of its
// backoff. It is 0 when none runs.
func (st *Stage) Delayed(i uint32) int64 {
	at := slices.IndexFunc(st.delayed, func(d delay) bool { return d.task == i })
	if at < 0 {
		return 0
	}
	return st.delayed[at].at
}

// Backoffs counts the tasks in backoff at now, and returns when the first backoff ends.
func (st *Stage) Backoffs(now int64) (n int, first int64) {
	for _, d := range st.delayed {
		if d.at <= now {
			continue
		}
		if n++; n == 1 {
			first = d.at
		}
	}
	return n, first
}

// Cursor walks over a stage's waiting tasks in the order in which they should run. It does not
// change the stage: a decision changes it only when it comes back from the log.
type Cursor struct{ delayed, returned, next uint32 }

// Next returns the next task that may start at now.
func (st *Stage) Next(now int64, c *Cursor) (uint32, bool) {
	if int(c.delayed) < len(st.delayed) && st.delayed[c.delayed].at <= now {
		c.delayed++
		return st.delayed[c.delayed-1].task, true
	}
	if int(c.returned) < len(st.returned) {
		c.returned++
		return st.returned[c.returned-1], true
	}
	if c.next < st.next {
		c.next = st.next
	}
	if c.next < st.size {
		c.next++
		return c.next - 1, true
	}
	return 0, false
}

// Wake is when the next backoff ends after now, 0 if none runs.
func (st *Stage) Wake(now int64) int64 {
	for _, d := range st.delayed {
		if d.at > now {
			return d.at
		}
	}
	return 0
}
