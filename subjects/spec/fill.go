package spec

// Need is what the client has to look up for one stage before it can send its document: files
// behind patterns, or the lines of each.
type Need struct {
	Stage  int
	Path   string   // of the field, for Doc.Errorf
	Inputs []string // files and globs, in the order they were written
	Split  int64    // arguments of Splits for the files found
	Group  int
	Record string // where files may be cut: see DocStage
	Header int
	Each   string   // file; each line makes a task; see Lines
	Lines  []string // or the lines themselves
}

// Needs lists the stages with tasks that come from files or lines. Lines in the document may stay
// there while they are few: Job makes splits of them too.
func (d *Doc) Needs() []Need {
	var needs []Need
	for i, s := range d.Stages {
		n := Need{Stage: i, Inputs: s.Inputs, Split: s.Split, Group: s.Group, Record: s.Record, Header: s.Header}
		switch {
		case s.Inputs != nil:
			n.Path = index("stages", i) + ".inputs"
		case s.Each != nil:
			n.Path = index("stages", i) + ".each"
			n.Each, n.Lines = s.Each.File, s.Each.Lines
		default:
			continue
		}
		needs = append(needs, n)
	}
	return needs
}

// Errorf returns an error about the field at path, with its place in the document: a pattern that
// matches nothing, a file that cannot be read.
func (d *Doc) Errorf(path, format string, args ...any) error {
	return d.place(faultf(path, format, args...))
}

// FillEnv gives a stage the variables of its env_file. Those that it has stay as they are.
func (d *Doc) FillEnv(stage int, env map[string]string) {
	s := &d.Stages[stage]
	s.Env, s.EnvFile = union(env, s.Env), nil
}

// FaultEnvFile is an error about a stage's files of variables, with its place.
func (d *Doc) FaultEnvFile(stage int, err error) error {
	return d.Errorf(index("stages", stage)+".env_file", "%v", err)
}

// FillSplits gives a stage its splits, one a task.
func (d *Doc) FillSplits(stage int, splits []Split) {
	s := d.pinned(stage)
	s.Splits = splits
}

// FillList gives a stage its splits by reference: objects with a Chunk of so many tasks each, under
// the names that ChunkName makes of list.
func (d *Doc) FillList(stage int, tasks, chunk uint32, list string) {
	s := d.pinned(stage)
	s.Tasks, s.Chunk, s.List = tasks, chunk, list
}

// pinned drops what the stage's tasks were to be made of.
func (d *Doc) pinned(stage int) *DocStage {
	s := &d.Stages[stage]
	s.Inputs, s.Split, s.Group, s.Record, s.Header, s.Each = nil, 0, 0, "", 0, nil
	s.Tasks, s.Chunk, s.List, s.Splits = 0, 0, "", nil
	return s
}
