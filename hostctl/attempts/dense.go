package attempts

import (
	"errors"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"lull/client/holes"
	"lull/hostctl/inputs"
)

// mostDense bounds what is copied for one publisher, in bytes.
const mostDense = 64 << 20

// condense copies what is not in the holes of files to files of their own, which the publisher gets instead. Its
// input comes through a pipe, and 8 GB of zeros would take it a minute or more in the background.
func (x publication) condense(pieces []inputs.Piece) error {
	left := int64(mostDense)
	for i := range pieces {
		p := &pieces[i]
		if p.File.Holes == nil || p.File.Stored() > left {
			continue
		}
		left -= p.File.Stored()
		to := x.folder.In() + "/.data-" + strconv.Itoa(i) // no stage can have this name
		if err := condense(p, to); err != nil {
			return err
		}
		p.Path, p.Dense = to, true
	}
	return nil
}

func condense(p *inputs.Piece, to string) error {
	from, err := os.OpenFile(p.Path, os.O_RDONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // read only
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, holes.NewReader(from, p.File.Holes.Data))
	return errors.Join(err, out.Close())
}
