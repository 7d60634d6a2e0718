package publish

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"lull/actors/durable"
)

// attemptFolder is the folder of one attempt below the output. The attempt holds its lock while it
// runs.
type attemptFolder struct {
	folder
	output   folder
	new, old folder
	replaced []Replaced
}

func prefix(job string) string { return Marker + "-" + job + "-" }

func (d folder) begin(p Plan) (o attemptFolder, err error) {
	name := prefix(p.Job) + strconv.FormatUint(p.Attempt, 10)
	if err := d.discard(p, name); err != nil { // left by this attempt, if its agent was killed
		return o, err
	}
	if err := d.mkdir(name, 0o700); err != nil {
		return o, err
	}
	o.output = d
	if o.folder, err = d.open(name); err != nil {
		return o, err
	}
	if err := o.checkOwner(); err != nil {
		return o, err
	}
	_ = unix.Flock(o.fd(), unix.LOCK_EX|unix.LOCK_NB) // not every file system supports it
	if o.new, err = o.make("new"); err == nil {
		o.old, err = o.make("old")
	}
	return o, err
}

// checkOwner makes sure that the folder is the one that this process made: the owner of the
// output may have replaced it.
func (o attemptFolder) checkOwner() error {
	var st unix.Stat_t
	if err := unix.Fstat(o.fd(), &st); err != nil {
		return o.fault("look at", "", err)
	}
	mode := st.Mode & 0o7777 &^ unix.S_ISGID // which a folder passes on to those in it
	if int(st.Uid) != os.Geteuid() || mode != 0o700 {
		return fmt.Errorf("%s was replaced by another user's folder", o.Name())
	}
	return nil
}

// wasRemoved reports whether the folder was removed.
func (o attemptFolder) wasRemoved() bool {
	var st unix.Stat_t
	return o.File != nil && unix.Fstat(o.fd(), &st) == nil && st.Nlink == 0
}

func (o attemptFolder) close() (err error) {
	for _, d := range []folder{o.new, o.old, o.folder} {
		if d.File != nil {
			err = errors.Join(err, d.Close())
		}
	}
	return err
}

func (o *attemptFolder) publish(p Plan, content io.Reader) error {
	var batch durable.Batch
	defer batch.Close() //nolint:errcheck // only after a failure is anything left in it
	for _, s := range p.Stages {
		if err := o.build(p, s, content, &batch); err != nil {
			return fmt.Errorf("publish stage %s: %w", s.Name, err)
		}
	}
	if err := batch.Sync(); err != nil {
		return err
	}
	o.output.lock()
	for _, s := range p.Stages {
		err := o.moveIntoPlace(s.Name)
		if err == nil {
			err = o.noteReplaced(p, s.Name)
		}
		if err != nil {
			return fmt.Errorf("publish stage %s: %w", s.Name, err)
		}
	}
	return o.fault("sync", "..", o.output.Sync())
}

// build writes a stage's folder.
func (o attemptFolder) build(p Plan, s Stage, content io.Reader, batch *durable.Batch) error {
	top, err := o.new.make(s.Name)
	if err != nil {
		return err
	}
	w := writer{top: top, batch: batch}
	marker := strings.NewReader(p.Job + "\n")
	if err := w.write(File{Path: Marker, Size: marker.Size(), Mode: 0o644}, marker); err != nil {
		return err
	}
	for _, f := range s.Files {
		if err := w.write(f, content); err != nil {
			return err
		}
	}
	return w.close()
}
