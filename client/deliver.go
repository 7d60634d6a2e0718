package client

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"lull/actors/account"
	"lull/client/publish"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Publisher returns the user that would publish a document's results on this machine, and whether
// that user may write to the output folder, else the folder that is the obstacle. It reports true
// if another host would publish or the agent does not name its tasks' user.
func Publisher(s *ledger.State, doc *spec.Doc) (user, obstacle string, ok bool) {
	h := publisher(s, doc.Origin)
	if doc.Output == "" || h == nil {
		return "", "", true
	}
	u, err := account.ParseNumber(h.Joined.TaskUser)
	if err != nil {
		return "", "", true // an older agent does not name it
	}
	obstacle, ok = u.CanWrite(doc.Output)
	return u.Name(), obstacle, ok
}

// publisher returns the host that publishes the results of jobs submitted here, if it is this
// machine: the pool's only host, whatever its name, or the one with the label of the job's origin.
func publisher(s *ledger.State, origin string) (h *ledger.Host) {
	if origin != hostname() {
		return nil
	}
	open := 0
	for _, host := range s.Hosts() {
		if !host.Open() {
			continue
		}
		open++
		if host.Matches([]string{"host=" + origin}) {
			return host
		}
		if runsOn(host, origin) {
			h = host
		}
	}
	if open > 1 {
		return nil
	}
	return h
}

// runsOn reports whether a host's agent runs on a machine. Agents of earlier releases report
// only the host's name, which is the machine's name unless --name set another.
func runsOn(h *ledger.Host, machine string) bool {
	if h.Joined.Machine != "" {
		return h.Joined.Machine == machine
	}
	return h.Name == subjects.Token(machine)
}

// Deliver publishes the results of a finished job to a folder with the caller's rights, in the same
// way as an agent: readers of the folder see whole runs only. It returns which results of other
// jobs were replaced. With keep the replaced results stay, in <stage>.previous.
func (c *Client) Deliver(ctx context.Context, s *ledger.State, j *ledger.Job, folder string, keep bool) ([]publish.Replaced, error) {
	stages, err := ResultStages(j)
	if err != nil {
		return nil, err
	}
	plan := publish.Plan{Output: folder, Job: j.ID, Keep: keep}
	var all []Output
	for _, stage := range stages {
		outputs, err := c.Outputs(ctx, s, j, stage)
		if err != nil {
			return nil, err
		}
		plan.Stages = append(plan.Stages, published(j.Shape.Stages[stage].Name, outputs))
		all = append(all, outputs...)
	}
	aside, err := os.MkdirTemp("", "lull-run-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(aside) //nolint:errcheck // a leftover in the temporary folder
	if err := c.Fetch(ctx, all, aside); err != nil {
		return nil, err
	}
	files := slices.DeleteFunc(all, func(o Output) bool { return !o.Regular() })
	return publish.Publish(plan, &inTurn{aside: aside, left: files}, nil)
}

func published(stage string, outputs []Output) publish.Stage {
	s := publish.Stage{Name: stage}
	for _, o := range outputs {
		path, _ := filepath.Rel(stage, o.Place()) // both are relative
		s.Files = append(s.Files, publish.File{Path: filepath.ToSlash(path), Size: o.Size, Mode: o.Mode, Link: o.Link, Folder: o.Folder, Holes: o.Holes})
	}
	return s
}

// inTurn reads files one after the other.
type inTurn struct {
	aside string
	left  []Output
	file  *os.File
}

func (r *inTurn) Read(b []byte) (int, error) {
	for {
		if r.file == nil {
			if len(r.left) == 0 {
				return 0, io.EOF
			}
			f, err := os.Open(filepath.Join(r.aside, r.left[0].Place()))
			if err != nil {
				return 0, err
			}
			r.file, r.left = f, r.left[1:]
		}
		n, err := r.file.Read(b)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		_ = r.file.Close() // read only
		if r.file = nil; n > 0 {
			return n, nil
		}
	}
}
