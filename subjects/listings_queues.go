package subjects

// QueuesAsk asks for a part of the queues: first the operators' settings, then what runs on the
// hosts, then the jobs.
type QueuesAsk struct {
	Now  int64      `msgpack:"now"` // Unix nanoseconds, up to which rates since admission are taken
	From QueuesFrom `msgpack:"from"`
}

// QueuesFrom is a place among what queues are counted from: the zero value is the beginning.
type QueuesFrom struct {
	Queue string `msgpack:"queue,omitempty"` // behind this one of those that operators spoke of
	Host  string `msgpack:"host,omitempty"`  // behind this one, all of those queues done
	Job   uint64 `msgpack:"job,omitempty"`   // from this place in the log on, all hosts done
}

// QueuesAnswer counts queues over a part of what there is: the client adds the lines of a queue.
type QueuesAnswer struct {
	Folded
	Queues []QueueLine `msgpack:"queues"` // by name
	// Next is the From of the next part, zero if there is none.
	Next QueuesFrom `msgpack:"next"`
}

// QueueLine is a queue as lists show it.
type QueueLine struct {
	Queue         string       `msgpack:"queue"`
	Weight        float64      `msgpack:"weight"`
	SetByOperator bool         `msgpack:"said,omitempty"` // by an operator
	By            *Attribution `msgpack:"by,omitempty"`
	AtOnce        uint32       `msgpack:"at_once,omitempty"` // jobs that run at once, 0 for any number
	Jobs          uint32       `msgpack:"jobs,omitempty"`
	Running       uint32       `msgpack:"running,omitempty"` // tasks
	Width         uint32       `msgpack:"width,omitempty"`   // slots that these hold
	// These are bytes/s, nil if there is nothing to add up: the limit of its tasks, the rate at
	// which they read now, and the mean rate of its finished tasks since their jobs were admitted.
	Pace  *float64 `msgpack:"pace,omitempty"`
	Reads *float64 `msgpack:"reads,omitempty"`
	Since *float64 `msgpack:"since,omitempty"`
}

// Add adds another line of the same queue.
func (l *QueueLine) Add(other *QueueLine) {
	l.Jobs += other.Jobs
	l.Running += other.Running
	l.Width += other.Width
	addRate(&l.Pace, other.Pace)
	addRate(&l.Reads, other.Reads)
	addRate(&l.Since, other.Since)
}

func addRate(to **float64, x *float64) {
	if x != nil {
		AddRate(to, *x)
	}
}

// AddRate adds to a sum that is nil as long as there is nothing to add up.
func AddRate(to **float64, x float64) {
	sum := x
	if *to != nil {
		sum += **to
	}
	*to = &sum
}
