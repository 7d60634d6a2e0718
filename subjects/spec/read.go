package spec

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// MaxTasks bounds the tasks of a job, MaxStages its stages.
const (
	MaxTasks  = 10_000_000
	MaxStages = 256
)

func (d *Doc) read(v value) error { return v.fields(d.fields()...) }

func (d *Doc) fields() []field {
	return slices.Concat([]field{
		text("name", &d.Name).required().says("The job's name. Ids of jobs begin with it."),
		text("type", &d.Type).says("The completion-time model that the job's tasks follow and teach. Default: the name."),
		text("queue", &d.Queue).says("The queue that the job waits in, with its share of the pool. Default: `default`."),
		field{name: "deadline", read: d.readDeadline, form: deadlineForm}.says("When the job is to be done: a duration from submission on, " +
			"a time of day (`06:00`, `06:00 Europe/Berlin`, `06:00 +02:00`), or a time (`2026-12-01T06:00:00Z`, `2026-12-01T06:00 Europe/Berlin`). " +
			"Without a zone it is that of the machine that submits, and UTC in a message that no `lull` sent. " +
			"Of an hour that comes twice the next one counts; a time that clocks skip is the end of the gap. The verdict says which time it is. A job whose deadline cannot be kept is rejected."),
		field{name: "late", read: d.readLate, form: lateForm}.says("What becomes of the job if its deadline cannot be kept. " +
			"`run`: it runs after the jobs whose deadlines can be kept. Default: `reject`, and `run` for `lull run` at a terminal."),
		text("output", &d.Output).says("The folder that gets the results of the stages that no other reads. A relative path counts from the document's folder."),
		field{name: "replace", read: d.readReplace, form: truthForm}.says("Whether results of another job that stand in `output` are removed " +
			"when this job's take their place. With `false` the last ones stay beside them, in `STAGE.previous`. Default: `false`."),
		atOnceOfJob(d),
		field{name: "defaults", read: d.readDefaults, form: defaultsForm}.says("What all stages have unless they say otherwise. " +
			"Of `env` and `where`, each stage gets the names that it does not give itself."),
		shellField(&d.shell, ofJob),
		field{name: "stages", read: d.readStages, form: stagesForm}.required().says("The stages of the job, each a set of tasks that run one command."),
		field{name: "place", read: d.readPlace, form: placeForm}.says("How the hosts are chosen where stages exchange data and the pool's network is known. `fast`: the job ends early. `cheap`: it takes little harvested CPU time. " +
			"`spread`: one host of each rack in turn. `pack`: one rack after the other. `off`: any host. Default: `fast`, if moving data takes a twentieth of the job's time or more."),
		field{name: "files", read: readFiles(&d.Files), form: filesForm}.says("Small files and folders of this machine that are sent along with the job, for the tasks of all stages. " + filesMeaning),
		text("origin", &d.Origin).says("The host whose paths these are. " + byClient),
	}, otherJobsFields(d))
}

func (d *Doc) readReplace(v value) (err error) {
	d.Replace, err = v.truth()
	return err
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

func (s *DocStage) readCommand(v value) error {
	if _, ok := v.node.(*ast.SequenceNode); !ok {
		line, err := v.text()
		s.line = line
		return err
	}
	return v.list(func(_ int, v value) error {
		arg, err := v.scalar()
		s.Command = append(s.Command, arg)
		return err
	})
}

// leastMemory catches a forgotten unit: no process runs in 256 bytes.
const leastMemory = 1 << 20

func (s *DocStage) readMemory(v value) (err error) {
	s.Memory, err = v.size()
	if err == nil && s.Memory < leastMemory {
		return v.faultf("%d bytes are too few for a process: write a unit, such as 256MB", s.Memory)
	}
	return err
}

// mostRetries is the most retries that a new document may give a task: the fold counts failures in a
// byte. Earlier releases accepted up to maxRetries, so logs may contain jobs with more.
const mostRetries = 254

func (s *DocStage) readRetries(v value) error {
	s.Retries = new(uint32)
	return whole("", s.Retries, 0, mostRetries).read(v)
}

// maxHeader is the most lines that a header may have.
const maxHeader = 1000

func readRecord(to *string) func(value) error {
	return func(v value) (err error) {
		if *to, err = v.text(); err == nil && *to != RecordCSV {
			return v.faultf("%q is not a kind of record: write csv, or leave record out to cut at line ends", *to)
		}
		return err
	}
}

func (s *DocStage) readEach(v value) (err error) {
	s.Each = &Each{}
	if _, ok := v.node.(*ast.SequenceNode); !ok {
		if s.Each.Lines, err = v.span(); s.Each.Lines == nil && err == nil {
			s.Each.File, err = v.text()
		}
		return err
	}
	return v.list(func(_ int, v value) error {
		line, err := v.scalar()
		s.Each.Lines = append(s.Each.Lines, line)
		return err
	})
}
