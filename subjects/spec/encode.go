package spec

import "github.com/vmihailenco/msgpack/v5"

// Encode writes the bytes of wire.Marshal(j) to an encoder of wire.NewEncoder, without the
// reflection that takes most of Marshal's time: each service encodes every job that it folds. A
// test compares both, field by field.
func Encode(e *msgpack.Encoder, j *Job) error {
	var f fields
	addJob(&f, j)
	f.begin(e)
	addJob(&f, j)
	return f.err
}

func addJob(f *fields, j *Job) {
	f.text("name", j.Name)
	f.text("type", j.Type)
	optional(f.text, "queue", j.Queue)
	optional(f.number, "deadline_in", int64(j.DeadlineIn))
	optional(f.number, "deadline_at", j.DeadlineAt)
	optional(f.flag, "late", j.Late)
	optional(f.text, "output", j.Output)
	optional(f.flag, "replace", j.Replace)
	optional(f.number, "at_once", int64(j.AtOnce))
	optional(f.text, "place", j.Place)
	optional(f.text, "origin", j.Origin)
	list(f, "after_jobs", j.AfterJobs)
	optional(f.text, "if_running", j.IfRunning)
	if f.key("stages") {
		f.err = encodeStages(f.to, j.Stages)
	}
}

func encodeStages(e *msgpack.Encoder, stages []Stage) error {
	if stages == nil {
		return e.EncodeNil()
	}
	f := fields{err: e.EncodeArrayLen(len(stages))}
	for i := 0; f.err == nil && i < len(stages); i++ {
		f = fields{}
		addStage(&f, &stages[i])
		f.begin(e)
		addStage(&f, &stages[i])
	}
	return f.err
}

func addStage(f *fields, s *Stage) {
	f.text("name", s.Name)
	f.texts("argv", s.Argv)
	list(f, "env", s.Env)
	optional(f.text, "dir", s.Dir)
	list(f, "vars", s.Vars)
	list(f, "sent", s.Sent)
	f.number("tasks", int64(s.Tasks))
	optional(f.text, "list", s.List)
	optional(f.number, "chunk", int64(s.Chunk))
	list(f, "splits", s.Splits)
	optional(f.text, "stdin", s.Stdin)
	list(f, "from", s.From)
	list(f, "after", s.After)
	optional(f.number, "partitions", int64(s.Partitions))
	optional(f.number, "at_once", int64(s.AtOnce))
	f.number("cpu", int64(s.CPU))
	optional(f.number, "part", int64(s.Part))
	f.number("memory", s.Memory)
	list(f, "where", s.Where)
	f.number("retries", int64(s.Retries))
	f.number("backoff", int64(s.Backoff))
	optional(f.number, "timeout", int64(s.Timeout))
	optional(f.number, "wall", int64(s.Wall))
	list(f, "on_exit", s.OnExit)
	optional(f.number, "grace", int64(s.Grace))
	optional(f.number, "warn_before", int64(s.WarnBefore))
	optional(f.text, "warn_signal", s.WarnSignal)
	optional(f.text, "when", s.When)
	optional(f.number, "max_failures", int64(s.MaxFailures))
	optional(f.flag, "keep_going", s.KeepGoing)
	optional(f.flag, "allow_failure", s.AllowFailure)
	optional(f.number, "estimate", int64(s.Estimate))
	optional(f.fraction, "gives", s.Gives)
	optional(f.number, "yield", s.Yield)
	optional(f.number, "bytes", s.Bytes)
	list(f, "sources", s.Sources)
	optional(f.flag, "publish", s.Publish)
}
