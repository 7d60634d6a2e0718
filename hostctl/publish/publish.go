package publish

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"lull/hostctl/contain"
	"lull/hostctl/durable"
)

// Marker is the file that says which job wrote a folder.
const Marker = ".lull"

var (
	// ErrForeign says that a folder or file that lull did not write is in the place.
	ErrForeign = errors.New("it was not written by lull: move it away, or choose another `output:`")
	// ErrOvertaken says that another attempt of the same job has removed this one's folder.
	ErrOvertaken = errors.New("another attempt of this job publishes")
)

// Publish puts a plan's files in place, with their bytes from content. A repeat, also after a
// crash, gives the same result. The calling goroutine must be locked to its thread if the
// plan asks for a fence.
func Publish(p Plan, content io.Reader) error {
	output, err := reach(p.Output)
	if err != nil {
		return denied(p, err)
	}
	defer output.Close() //nolint:errcheck // what was written is synced
	if p.Fence {
		if err := fence(output); err != nil {
			return err
		}
	}
	return denied(p, output.publish(p, content))
}

// denied explains a missing right: which user lacks it, and which commands write as another
// user.
func denied(p Plan, err error) error {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, unix.EROFS) {
		return err
	}
	who := contain.User{UID: uint32(os.Geteuid()), GID: uint32(os.Getegid())}
	return fmt.Errorf("%w: %s, who publishes on this host, may not write to %s: let that user write there, "+
		"or fetch the results with `lull outputs %s --to DIR` or run the job with `lull run`, which write as whoever runs them",
		err, who.Name(), p.Output, p.Job)
}

func (d folder) publish(p Plan, content io.Reader) error {
	for _, s := range p.Stages {
		if err := d.ours(s.Name); err != nil {
			return err
		}
	}
	o, err := d.begin(p)
	if err == nil {
		err = o.publish(p, content)
	}
	if err != nil && o.overtaken() {
		err = fmt.Errorf("%w (%w)", ErrOvertaken, err)
	}
	return errors.Join(err, d.tidy(p), o.close())
}

// fence restricts this thread to writing below the output. Without REFER the kernel would
// refuse renames from one folder to another.
func fence(output folder) error {
	abi := contain.ABI()
	if abi < contain.WithRefer {
		return nil
	}
	fd, err := contain.FenceAround(abi, output.fd())
	if err != nil {
		return err
	}
	return errors.Join(contain.Restrict(fd), unix.Close(fd))
}

// ours returns ErrForeign for a folder without a marker, unless it is empty or missing.
func (d folder) ours(name string) error {
	at, err := d.open(name)
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ELOOP): // a file, or a link
	case err != nil:
		return err
	default:
		defer at.Close() //nolint:errcheck // only read
		if at.has(Marker) || at.isEmpty() {
			return nil
		}
	}
	return fmt.Errorf("%s/%s is there already: %w", d.Name(), name, ErrForeign)
}

// own is the folder of one attempt below the output. The attempt holds its lock while it
// runs.
type own struct {
	folder
	output   folder
	new, old folder
}

func prefix(job string) string { return Marker + "-" + job + "-" }

func (d folder) begin(p Plan) (o own, err error) {
	name := prefix(p.Job) + strconv.FormatUint(p.Attempt, 10)
	if err := d.remove(name); err != nil { // the same attempt's, if its agent was killed
		return o, err
	}
	if err := d.mkdir(name, 0o700); err != nil {
		return o, err
	}
	o.output = d
	if o.folder, err = d.open(name); err != nil {
		return o, err
	}
	if err := o.alone(); err != nil {
		return o, err
	}
	_ = unix.Flock(o.fd(), unix.LOCK_EX|unix.LOCK_NB) // not every file system supports it
	if o.new, err = o.make("new"); err == nil {
		o.old, err = o.make("old")
	}
	return o, err
}

// alone makes sure that the folder is the one that this process made: the owner of the
// output may have replaced it.
func (o own) alone() error {
	var st unix.Stat_t
	if err := unix.Fstat(o.fd(), &st); err != nil {
		return o.fault("look at", "", err)
	}
	if int(st.Uid) != os.Geteuid() || st.Mode&0o7777 != 0o700 {
		return fmt.Errorf("%s was replaced by somebody else's folder", o.Name())
	}
	return nil
}

// overtaken reports whether the folder was removed.
func (o own) overtaken() bool {
	var st unix.Stat_t
	return o.File != nil && unix.Fstat(o.fd(), &st) == nil && st.Nlink == 0
}

func (o own) close() (err error) {
	for _, d := range []folder{o.new, o.old, o.folder} {
		if d.File != nil {
			err = errors.Join(err, d.Close())
		}
	}
	return err
}

func (o own) publish(p Plan, content io.Reader) error {
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
		if err := o.place(s.Name); err != nil {
			return fmt.Errorf("publish stage %s: %w", s.Name, err)
		}
	}
	return o.fault("sync", "..", o.output.Sync())
}

// build writes a stage's folder.
func (o own) build(p Plan, s Stage, content io.Reader, batch *durable.Batch) error {
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

// writer writes files below a folder. It keeps the folder of the last file open, because
// files of one folder come one after the other.
type writer struct {
	top, in folder
	name    string // of in below top; "" for top itself
	batch   *durable.Batch
}

func (w *writer) write(f File, content io.Reader) error {
	name, err := w.enter(f.Path)
	if err != nil {
		return err
	}
	to, err := w.in.create(name, f.Mode&0o777|0o200)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(to, content, f.Size); err != nil {
		return errors.Join(fmt.Errorf("copy %s: %w", f.Path, err), to.Close())
	}
	return w.batch.Add(to)
}

// enter opens the folder of a path and returns the path's last name.
func (w *writer) enter(file string) (name string, err error) {
	dir, name := path.Split(file)
	if w.in.File == nil || dir != w.name {
		if err := w.leave(); err != nil {
			return "", err
		}
		w.in, w.name = w.top, dir
		for part := range strings.SplitSeq(path.Clean(dir), "/") {
			if part == "." {
				break
			}
			next, err := w.in.make(part)
			if err != nil {
				return "", err
			}
			if err := w.leave(); err != nil {
				return "", errors.Join(err, next.Close())
			}
			w.in = next
		}
	}
	return name, nil
}

// leave adds the open folder to the batch.
func (w *writer) leave() error {
	in := w.in
	w.in = folder{}
	if in.File == nil || in.File == w.top.File {
		return nil
	}
	return w.batch.Add(in.File)
}

func (w *writer) close() error { return errors.Join(w.leave(), w.batch.Add(w.top.File)) }

// lockPatience bounds the wait for other publishers to the same folder: any user who may read
// the folder can hold its lock.
const lockPatience = 2 * time.Second

// lock keeps two runs from exchanging their stages at the same time, which would mix their
// stages. Closing the folder releases it.
func (d folder) lock() {
	for end := time.Now().Add(lockPatience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if err := unix.Flock(d.fd(), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
			return
		}
	}
}
