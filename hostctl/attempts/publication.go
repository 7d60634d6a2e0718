package attempts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"lull/actors/account"
	"lull/client/publish"
	"lull/hostctl/actor"
	"lull/hostctl/contain"
	"lull/hostctl/goenv"
	"lull/hostctl/inputs"
	"lull/hostctl/publisher"
	"lull/hostctl/refusal"
	"lull/hostctl/shim"
	"lull/subjects"
	"lull/subjects/spec"
)

// publication is the execution of an attempt that publishes a job's results.
//
// Publishing is a task in the slot's shim, run as the tasks' user: see package publish. Its
// standard input is what the job's final stages wrote, which that user may not be able to
// read.
type publication struct{ *execution }

// prepare prepares a publisher's input.
func (x publication) prepare() (shim.Task, error) {
	if err := outputHidden(x.execution); err != nil {
		return shim.Task{}, refusal.Fail(subjects.ReasonOutput, err)
	}
	x.needsTidying = true
	if err := x.folder.Make(); err != nil {
		return shim.Task{}, err
	}
	reader := x.reader()
	reader.Room = x.room
	pieces, copied, err := x.cfg.Inputs.Pieces(x.launchCtx, reader)
	x.fetch = copied
	if err != nil {
		return shim.Task{}, err
	}
	if err := x.condense(pieces); err != nil {
		return shim.Task{}, err
	}
	plan, err := x.plan(pieces)
	if err != nil {
		return shim.Task{}, err
	}
	in := inputs.Whole(pieces)
	x.input = in.Bytes()
	in.Ranges = slices.Insert(in.Ranges, 0, plan)
	stdin, err := in.Stdin(x.folder)
	if err != nil {
		return shim.Task{}, err
	}
	stdin.Kept = true
	bounds := x.cfg.bounds(x.slot, x.folder)
	bounds.User = x.cfg.Policy.User // the same for all slots: the next run replaces this one's files
	// The publisher makes its fence itself, around a folder that it opens first.
	bounds.Write, bounds.Hide, bounds.Read, bounds.Unfenced = nil, nil, nil, true
	return shim.Task{
		Attempt: x.Attempt, Argv: slices.Clone(x.cfg.Publisher), Dir: "/", Env: goenv.Of("GOMAXPROCS=2", "GOMEMLIMIT=24MiB"),
		Stdin: stdin, Stdout: x.folder.Stdout(), Stderr: x.folder.Stderr(), LogBytes: x.cfg.LogBytes,
		Grace: x.cfg.Grace, Bounds: bounds,
	}, nil
}

// planWithoutFiles returns the publisher's plan without files.
func (x publication) planWithoutFiles() publish.Plan {
	return publish.Plan{
		Output: x.doc.Spec.Output, Job: x.Job, Attempt: x.Attempt, Fence: x.cfg.Policy.Mode == contain.Full,
		Keep: !x.doc.Spec.Replace, RetriesWhenFull: x.mayWait(time.Now()),
	}
}

// room refuses an attempt whose results have no room in their folder, before they are copied from
// other hosts. The publisher looks again.
func (x publication) room(bytes int64) error {
	p := x.planWithoutFiles()
	err := publish.CheckRoom(p, bytes)
	switch {
	case err == nil:
		return nil
	case p.RetriesWhenFull && !errors.Is(err, publish.ErrTooSmall):
		return refusal.Decline(subjects.ReasonNoRoom, errors.New(err.Error())) // it says nothing of this host's store
	}
	return refusal.Fail(subjects.ReasonOutput, errors.New(err.Error()))
}

// plan writes the publisher's plan to a file, which the publisher reads first.
func (x publication) plan(pieces []inputs.Piece) (spec.Range, error) {
	p := x.planWithoutFiles()
	for _, from := range x.doc.Spec.Stages[x.Stage].From {
		p.Stages = append(p.Stages, publish.Stage{Name: x.doc.Spec.Stages[from.Stage].Name})
	}
	for _, f := range pieces {
		s := &p.Stages[f.From]
		s.Files = append(s.Files, publish.File{
			Path: f.Name, Size: f.File.Size, Mode: f.File.Mode, Sum: f.File.Sum, Link: f.File.Link, Folder: f.File.Folder, Holes: f.File.Holes, Dense: f.Dense,
		})
	}
	b, err := p.Encode()
	if err != nil {
		return spec.Range{}, err
	}
	size := int64(len(b))
	return spec.Range{Path: x.folder.List(), Size: size, Length: size}, os.WriteFile(x.folder.List(), b, 0o600)
}

// mayWait reports whether results may wait for room in their folder: until the job's deadline.
func (x publication) mayWait(now time.Time) bool {
	return x.doc.Deadline == 0 || now.UnixNano() < x.doc.Deadline
}

// replacedText returns what the publisher wrote to its log: the results of other jobs that were replaced.
func (x publication) replacedText() string {
	f, err := os.Open(x.folder.Stdout())
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	body, _ := io.ReadAll(io.LimitReader(f, maxText))
	return string(bytes.ToValidUTF8(bytes.TrimSpace(body), nil))
}

// failed turns the exit of a publisher that failed into the attempt's end.
func (x publication) failed(e *shim.Exited, end *actor.Ended) {
	body, _ := os.ReadFile(x.folder.Stderr())
	end.Text = text(errors.New(string(bytes.TrimSpace(body))))
	switch e.Status {
	case publisher.StatusFull: // tried again after a pause, which grows
		end.Outcome, end.Reason = actor.Declined, subjects.ReasonNoRoom
		x.cfg.Logger.Warn("results wait for room", "job", x.Job, "error", end.Text)
	case publisher.StatusOvertaken:
		end.Outcome, end.Reason = actor.Evicted, subjects.ReasonVanished
	case publisher.StatusDamaged:
		end.Outcome, end.Reason = actor.Evicted, subjects.ReasonVanished // tried again after a pause
		x.cfg.Logger.Warn("results are not published: an output of this host is damaged", "job", x.Job, "error", end.Text)
		x.cfg.Inputs.DoubtInput(x.ctx, x.reader())
	default:
		end.Outcome, end.Reason, end.Exit = actor.Failed, subjects.ReasonOutput, int32(e.Status)
		if end.Text == "" {
			end.Text = fmt.Sprintf("the results were not published: %s", e.Text)
		}
	}
}

// notRunnableText explains why a publisher, which is this same program, was not started.
func notRunnableText(e *shim.StartFailed, user account.User) string {
	return fmt.Sprintf("%s: %s must be able to run lull itself to publish results (chmod o+rx, on its file)", e.Text, user.Name())
}
