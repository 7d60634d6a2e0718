package ledger

import "lull/subjects"

// Attempt is one run of a task on a host, from its assignment until the host
// says that it is gone. The tags are its names in snapshots.
type Attempt struct {
	ID       uint64          `msgpack:"ID"` // log sequence of its assigned
	Job      *Job            `msgpack:"-"`
	Task     subjects.TaskID `msgpack:"Task"`
	Try      uint32          `msgpack:"Try"`
	Host     *Host           `msgpack:"-"`
	Slot     uint32          `msgpack:"Slot"`
	Width    uint32          `msgpack:"Width"`
	Part     uint32          `msgpack:"Part,omitempty"` // see subjects.Assigned
	Memory   int64           `msgpack:"Memory"`
	Assigned int64           `msgpack:"Assigned"` // Unix nanoseconds
	Started  int64           `msgpack:"Started"`  // 0 until the host says so
	State    AttemptState    `msgpack:"State"`
	// Rival says that it runs beside the attempt that holds its task. It is
	// over when it takes the task over, or is not waited for any more.
	Rival bool `msgpack:"Rival"`
	// Paced means that its host was given a rate for it, for a while at least.
	Paced    bool         `msgpack:"Paced,omitempty"`
	released bool         // the state holds it no more
	Why      subjects.Why `msgpack:"Why"`
}

// AttemptState of an attempt's life.
type AttemptState uint8

// States of an attempt. In Revoked and Vanished it holds its task no more.
const (
	Given AttemptState = iota
	Running
	Revoked
	Vanished // its host is lost
)

// Holds reports whether the attempt is the holder of its task.
func (a *Attempt) Holds() bool {
	t := a.stage().at(a.Task.Task)
	return a.State <= Running && t.state == Held && t.attempt == a.ID
}

// Unwanted reports whether the attempt is of no more use: its job or its stage has ended, or its
// task is done or held by an attempt other than its rival.
func (a *Attempt) Unwanted() bool {
	if a.State == Revoked {
		return false // a rate is noted already
	}
	if !a.Job.Live() || a.Job.conditional && a.Job.Over(int(a.Task.Stage)) {
		return true
	}
	t := a.stage().at(a.Task.Task)
	return t.state == Done || t.state == Dead || t.state == Dropped || (t.state == Held && t.attempt != a.ID && !a.Rival)
}

func (a *Attempt) stage() *Stage { return a.Job.Stages[a.Task.Stage] }

// release takes the attempt from its host: it is gone, and no rival any more.
func (s *State) release(a *Attempt) {
	s.attempts.remove(a.ID)
	a.released = true
	a.withdraw()
	a.Job.attempts--
	a.Host.vacate(a)
	s.retain(a.Job)
}

// giveUpTask gives the attempt's task to its rival or back to the queue, if the attempt holds it.
// It does so even in a job that has ended, because that may be retried.
func (a *Attempt) giveUpTask(next AttemptState) {
	held := a.Holds()
	a.State = next
	a.withdraw()
	if held && !a.promoteRival() {
		a.stage().requeue(a.Task.Task, 0)
	}
}
