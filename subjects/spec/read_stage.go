package spec

// byClient ends the description of a field that people do not write.
const byClient = "`lull submit` writes it."

// byRun ends the description of a field that only `lull run -- COMMAND` writes.
const byRun = "`lull run` writes it."

func (s *DocStage) read(v value) error { return v.fields(s.fields()...) }

func (s *DocStage) fields() []field {
	return append(s.work(), s.needs()...)
}

// work is what the stage's tasks are.
func (s *DocStage) work() []field {
	return []field{
		text("name", &s.Name).required().says("The stage's name, which other stages and commands call it by."),
		field{name: "command", read: s.readCommand, form: commandForm}.required().says("What each task runs: a line for `sh -c` or for `shell`, or a program and its arguments."),
		shellField(&s.shell, ofStage),
		s.envField(),
		s.envFileField(),
		s.dirField(),
		field{name: "files", read: readFiles(&s.Files), form: filesForm}.says("Files that are sent along for the tasks of this stage, beside those of the job."),
		whole("tasks", &s.Tasks, 1, MaxTasks).says("How many tasks there are. Not with `inputs`, `each` and `matrix`, which say so themselves. Default: 1."),
		texts("inputs", &s.Inputs).says("Files, globs (`**` for any depth) and URLs that tasks read: one task a file, unless `group` or `split` says otherwise. Links to folders are followed, and each file counts once."),
		size("split", &s.Split).says("About how many bytes of `inputs` a task reads. Files are cut at line ends, or as `record` says. Compressed files and others that have no lines are refused."),
		field{name: "record", read: readRecord(&s.Record), form: recordForm}.says("Where `split` may cut. `csv`: at the ends of records, although values in quotes hold line ends; `lull submit` reads the files to find them. Default: at line ends."),
		whole("header", &s.Header, 1, maxHeader).says("How many lines at the beginning of each file of `inputs` are its header. Each task gets them once, before the lines that it reads."),
		whole("group", &s.Group, 1, MaxRanges).says("How many files of `inputs` a task reads."),
		field{name: "each", read: s.readEach, form: eachForm}.says("One task for each line of a file, for each number of a range such as `1..200` or `001..200`, or for each item of a list. Tasks find theirs in `LULL_PARAM`."),
		field{name: "matrix", read: s.readMatrix, form: matrixForm}.says("One task for each combination of values: each key has a list or a range, " +
			"and tasks find their values in variables of those names, and in `LULL_PARAM` as `key=value` pairs. " +
			"`exclude` lists combinations to leave out, each by some of their keys."),
		atOnceOfStage(s),
		field{name: "from", read: s.readFrom, form: fromForm}.says("Stages whose results the tasks read. `by: all`: each task reads everything. " +
			"`by: partition`: task p reads the files `part-<p>`. `by: task`: task i reads what task i wrote. A stage of several tasks must say which."),
		texts("after", &s.After).says("Further stages that must be done before this one begins."),
		field{name: "when", read: s.readWhen, form: whenForm}.says("When the stage runs, once the stages of `from` and `after` are over: `success`, if none of them failed; " +
			"`failure`, if one failed or did not run because of a failure; or `always`. When a stage has failed that must not, all others but those of `failure` and `always` end. Default: `success`."),
	}
}

// needs is what the tasks need, what becomes of those that fail, and what clients found.
func (s *DocStage) needs() []field {
	return append(s.limits(), []field{
		field{name: "gives", read: s.readGives, form: givesForm}.says("What a task gives to the stages that read it, if you know: a number of bytes for each byte that it reads, such as `0.4`, or a size, such as `64MB`. The hosts of a first run are chosen by it."),
		size("bytes", &s.Bytes).says("Input of a task on average. `lull submit` finds it for files."),
		field{name: "sources", read: s.readSources, form: textsForm}.says("The data nodes that the tasks read from, such as `nfs:filer1`. `[]`: none limits the stage. Default: found by the mounts of the inputs."),
		field{name: "sent", read: readSent(&s.Sent), form: sentForm}.says("The content of `files`, where the pool keeps it. " + byClient),
		text("list", &s.List).says("The objects that hold the tasks' splits. " + byClient),
		whole("chunk", &s.Chunk, 1, ChunkTasks).says("The tasks in each object of `list`. " + byClient),
		field{name: "splits", read: s.readSplits, form: splitsForm}.says("What each task reads. " + byClient),
		text("stdin", &s.Stdin).says("The name that `lull run -- COMMAND` gives to its standard input, which the stage's one task reads. " + byRun),
	}...)
}

// limits is what all stages of a job may have in common, beside the next two.
func (s *DocStage) limits() []field {
	return append([]field{
		field{name: "cpu", read: readCores(&s.CPU), form: coresForm}.says("Cores of a task, such as `2`, `0.5` or `1.5`, in thousandths. Tasks that take parts of a core share one. Default: 1."),
		field{name: "memory", read: s.readMemory, form: sizeForm}.says("Memory of a task. Default: 256MB."),
		table("where", &s.Where).says("Labels that a host must carry."),
		field{name: "retries", read: s.readRetries, form: wholeForm, high: mostRetries}.says("How often a task that failed is tried again. Evictions do not count. Default: 3."),
		backoff("backoff", &s.Backoff).says("The wait before the first retry, at most `720h`. It doubles with each further one. Default: 1s."),
		duration("timeout", &s.Timeout).says("How long an attempt may take, in time in which it could run: while it is frozen or paused no time counts, and while others leave it no CPU, time counts in proportion. Default: no bound."),
		duration("wall", &s.Wall).says("How long an attempt may take by the clock, whether it could run or not. Default: no bound."),
		duration("estimate", &s.Estimate).says("How long a task takes on an idle core, if you know: a first guess that the first tasks correct."),
	}, append(append(endingFields(s), onExitField(s)), s.failing()...)...)
}

func (s *DocStage) envField() field {
	return checkedTable("env", &s.Env, CheckVariable).says("Variables of the tasks' environment. Those that lull sets, such as `LULL_OUT`, cannot be among them. `PATH` is `/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` on all hosts unless it is set here, or by an agent's `--task-path`.")
}

func (s *DocStage) envFileField() field {
	return texts("env_file", &s.EnvFile).says("Files of `NAME=value` lines that `lull submit` reads into `env`. Later files replace names of earlier ones, and `env` those of all.")
}

func (s *DocStage) dirField() field {
	return text("dir", &s.Dir).says("The folder in which tasks run. Default: an empty one of the task's own.")
}
