package publish

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// previousSuffix is the suffix of the folder that keeps the earlier results of a stage, after the stage's name. No
// stage has a point in its name.
const previousSuffix = ".previous"

// Replaced describes results of another job that a stage's new results have replaced.
type Replaced struct {
	Path string // of the stage's results
	Job  string // that wrote the earlier results
	Kept string // where those are now, "" if they were removed
}

func (r Replaced) String() string {
	if r.Kept == "" {
		return fmt.Sprintf("replaced the results of job %s in %s", r.Job, r.Path)
	}
	return fmt.Sprintf("replaced the results of job %s in %s, which are now in %s", r.Job, r.Path, r.Kept)
}

// noteReplaced notes which other job's results a stage's new ones have replaced, and keeps the old ones beside
// the new if the plan says so. Results of this job are not kept: another attempt of it made them.
func (o *attemptFolder) noteReplaced(p Plan, name string) error {
	for _, in := range []folder{o.new, o.old} {
		job := in.writer(name)
		if job == "" || job == p.Job {
			continue
		}
		r := Replaced{Path: filepath.Join(p.Output, name), Job: job}
		if p.Keep {
			if err := o.output.keep(in, name, o.folder); err != nil {
				return err
			}
			r.Kept = r.Path + previousSuffix
		}
		o.replaced = append(o.replaced, r)
	}
	return nil
}

// writer returns the job that wrote a folder, "" if there is no folder or lull did not write it.
func (d folder) writer(name string) string {
	f, err := d.at(filepath.Join(name, Marker), unix.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	const most = 256
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// keep moves earlier results of a stage to the folder with the suffix previous. A folder of that name is
// moved aside first. If the process crashes between the two moves, a later attempt finds the earlier
// results and keeps them (discard).
func (d folder) keep(from folder, name string, aside folder) error {
	to := name + previousSuffix
	for i := range maxMoves {
		err := unix.Renameat(from.fd(), name, d.fd(), to)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) && !errors.Is(err, unix.ENOTDIR):
			return d.fault("keep earlier results in", to, err)
		}
		if err := d.checkOurs(to); err != nil {
			return err
		}
		err = unix.Renameat(d.fd(), to, aside.fd(), fmt.Sprintf("older-%d-%s", i, name))
		if err != nil && !errors.Is(err, unix.ENOENT) { // another publisher may have moved it
			return d.fault("replace", to, err)
		}
	}
	return fmt.Errorf("other processes keep replacing %s/%s: let only lull write there, and publish again", d.Name(), to)
}

// discard removes the folder of an attempt that has ended. If the attempt was killed after its
// results took the place of others, and before those were kept, they are kept now.
func (d folder) discard(p Plan, attempt string) error {
	at, err := d.open(attempt)
	if err != nil || !p.Keep {
		return d.remove(attempt) // also if it is missing
	}
	defer at.Close() //nolint:errcheck // only read
	for _, aside := range []string{"new", "old"} {
		if err := d.keepOthers(p, at, aside); err != nil {
			return err
		}
	}
	return d.remove(attempt)
}

// keepOthers keeps the results of other jobs that a killed attempt had moved aside in its folder.
func (d folder) keepOthers(p Plan, at folder, aside string) error {
	in, err := at.open(aside)
	if err != nil {
		return nil // it was killed before it made that folder
	}
	defer in.Close() //nolint:errcheck // only read
	for _, s := range p.Stages {
		if job := in.writer(s.Name); job != "" && job != p.Job {
			if err := d.keep(in, s.Name, at); err != nil {
				return err
			}
		}
	}
	return nil
}
