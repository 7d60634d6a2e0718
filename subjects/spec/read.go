package spec

import (
	"github.com/goccy/go-yaml/ast"
)

// MaxTasks bounds the tasks of a job, MaxStages its stages.
const (
	MaxTasks  = 10_000_000
	MaxStages = 256
)

func (d *Doc) read(v value) error {
	return v.fields(
		text("name", &d.Name),
		text("type", &d.Type),
		text("queue", &d.Queue),
		field{"deadline", d.readDeadline},
		field{"late", d.readLate},
		text("output", &d.Output),
		text("origin", &d.Origin),
		field{"stages", d.readStages},
	)
}

func (d *Doc) readStages(v value) error {
	return v.list(func(i int, v value) error {
		if i == MaxStages {
			return v.faultf("there are more than %d stages: split it into several jobs", MaxStages)
		}
		d.Stages = append(d.Stages, DocStage{})
		return d.Stages[i].read(v)
	})
}

func (s *DocStage) read(v value) error {
	return v.fields(
		text("name", &s.Name),
		field{"command", s.readCommand},
		table("env", &s.Env),
		text("dir", &s.Dir),
		whole("tasks", &s.Tasks, 1, MaxTasks),
		texts("inputs", &s.Inputs),
		size("split", &s.Split),
		whole("group", &s.Group, 1, MaxRanges),
		field{"each", s.readEach},
		field{"from", s.readFrom},
		texts("after", &s.After),
		whole("cpu", &s.CPU, 1, maxCPU),
		field{"memory", s.readMemory},
		table("where", &s.Where),
		field{"retries", s.readRetries},
		duration("backoff", &s.Backoff),
		duration("timeout", &s.Timeout),
		duration("estimate", &s.Estimate),
		size("bytes", &s.Bytes),
		field{"sources", s.readSources},
		text("list", &s.List),
		whole("chunk", &s.Chunk, 1, ChunkTasks),
		field{"splits", s.readSplits},
	)
}

func (s *DocStage) readCommand(v value) error {
	if _, ok := v.node.(*ast.SequenceNode); !ok {
		line, err := v.text()
		s.Command = []string{"sh", "-c", line}
		return err
	}
	return v.list(func(_ int, v value) error {
		arg, err := v.scalar()
		s.Command = append(s.Command, arg)
		return err
	})
}

// leastMemory catches a forgotten unit: no process lives in 256 bytes.
const leastMemory = 1 << 20

func (s *DocStage) readMemory(v value) (err error) {
	s.Memory, err = v.size()
	if err == nil && s.Memory < leastMemory {
		return v.faultf("%d bytes are too few for a process: write a unit, such as 256MB", s.Memory)
	}
	return err
}

func (s *DocStage) readRetries(v value) error {
	s.Retries = new(uint32)
	return whole("", s.Retries, 0, maxRetries).read(v)
}

func (s *DocStage) readEach(v value) (err error) {
	s.Each = &Each{}
	if _, ok := v.node.(*ast.SequenceNode); !ok {
		s.Each.File, err = v.text()
		return err
	}
	return v.list(func(_ int, v value) error {
		line, err := v.scalar()
		s.Each.Lines = append(s.Each.Lines, line)
		return err
	})
}
