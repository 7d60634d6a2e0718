package attempts

import (
	"cmp"
	"errors"

	"lull/hostctl/environ"
	"lull/hostctl/inputs"
	"lull/hostctl/refusal"
	"lull/hostctl/shim"
	"lull/subjects"
	"lull/subjects/spec"
)

// prepare makes what a task finds when it starts.
func (x *execution) prepare() (shim.Task, error) {
	stage := x.stage()
	split, err := x.cfg.Inputs.Split(x.launchCtx, stage, x.TaskID.Task)
	if err != nil {
		return shim.Task{}, err
	}
	x.label = stage.Label(x.TaskID.Task, &split)
	x.needsTidying = true
	if err := x.folder.Make(); err != nil {
		return shim.Task{}, err
	}
	if err := x.cfg.Inputs.Place(x.launchCtx, x.reader()); err != nil {
		return shim.Task{}, err
	}
	in, err := x.cfg.Inputs.Input(x.launchCtx, x.reader(), split.Ranges)
	x.trees, x.fetch = in.Trees, in.Fetch
	if err != nil {
		return shim.Task{}, err
	}
	if len(stage.From) == 0 {
		split.Ranges = in.Ranges // those of URLs are files now
	}
	return x.taskOf(stage, split, in)
}

// taskOf describes a task with its input to the shim.
func (x *execution) taskOf(stage *spec.Stage, split spec.Split, in inputs.Input) (shim.Task, error) {
	x.input = in.Bytes()
	list, err := in.WriteList(x.folder)
	if err != nil {
		return shim.Task{}, err
	}
	stdin, err := stdinOf(x, stage, in)
	if err != nil {
		return shim.Task{}, err
	}
	bounds := x.cfg.bounds(x.slot, x.folder)
	env := environ.Of(environ.Task{
		Task: x.Task, Stage: stage, Split: split, Folder: x.folder, List: list, Trace: x.doc.Trace, User: bounds.User,
		Path: x.cfg.TaskPath, Label: x.label,
	})
	return shim.Task{
		Attempt: x.Attempt, Argv: stage.Argv, Dir: cmp.Or(stage.Dir, x.folder.Work()),
		Env: env, Stdin: stdin,
		Stdout: x.folder.Stdout(), Stderr: x.folder.Stderr(), LogBytes: x.cfg.LogBytes,
		Timeout: stage.Timeout, Wall: stage.Wall, Cores: stage.Cores().Float(), Grace: stageGrace(x), Bounds: bounds,
		Warn: shim.Warn{Before: stage.WarnBefore, Signal: stage.Warning()}, StopFile: environ.StopFile(x.folder),
	}, nil
}

// errElsewhere is why an attempt fails whose standard input this process does not have.
var errElsewhere = errors.New("its stdin was that of a `lull run` that has ended: run the command again")

// stdinOf returns the task's standard input: what the stage names, or else the task's split.
func stdinOf(x *execution, stage *spec.Stage, in inputs.Input) (shim.Stdin, error) {
	switch {
	case stage.Stdin == "":
		return in.Stdin(x.folder)
	case x.cfg.Stdin == nil:
		return shim.Stdin{}, refusal.Fail(subjects.ReasonInput, errElsewhere)
	}
	path, err := x.cfg.Stdin(stage.Stdin, x.Attempt)
	if err != nil {
		return shim.Stdin{}, refusal.Fail(subjects.ReasonInput, err)
	}
	// The caller of `lull run` gave it open. The document does not choose the path, and a fence allows no task to open
	// what another process has open.
	return shim.Stdin{File: path, Kept: true}, nil
}

// reader is the attempt as a reader of input.
func (x *execution) reader() inputs.Attempt {
	return inputs.Attempt{Task: x.Task, Doc: x.doc, Folder: x.folder}
}
