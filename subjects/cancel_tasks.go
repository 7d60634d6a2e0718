package subjects

// TasksCancelled ends some tasks of a job on a client's request. The job goes on with the others.
type TasksCancelled struct {
	Job   string       `msgpack:"-"`
	Inbox uint64       `msgpack:"inbox"` // sequence in the inbox stream
	Tasks []StageTasks `msgpack:"tasks"` // by stage
	// User is the sender as the server proves it, "" for none.
	User string `msgpack:"user,omitempty"`
	Who  string `msgpack:"who,omitempty"` // the sender that the message names: a claim
	Why  string `msgpack:"why,omitempty"` // the sender's reason
}

func (e *TasksCancelled) route() []string  { return []string{"job", e.Job, "taskscancelled"} }
func (e *TasksCancelled) fill(t []string)  { e.Job = t[1] }
func (e *TasksCancelled) texts() []*string { return []*string{&e.User, &e.Who, &e.Why} }
