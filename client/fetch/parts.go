package fetch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/manifest"
)

// Part is one output file of an attempt that is to be fetched.
type Part struct {
	Attempt uint64
	File    manifest.File
	To      string // path to write it to
}

// partsAtOnce bounds the attempts in one request: each takes up to 20 bytes of the request's URL.
const partsAtOnce = 512

// Parts fetches files of one name from several attempts of a host, one file of each attempt. A shuffle has
// many small files, and a request for each would cost more than its bytes. Files that are missing from the
// answer, or damaged in it, Parts then fetches one by one.
func (c *Client) Parts(ctx context.Context, from subjects.OutputHost, parts []Part) error {
	for len(parts) > 0 {
		some := parts[:min(len(parts), partsAtOnce)]
		parts = parts[len(some):]
		if len(some) > 1 {
			done, _ := c.stream(ctx, from, some) // a lasting error occurs again when File fetches the next one
			some = some[done:]
		}
		for _, p := range some {
			if err := c.File(ctx, from, p.Attempt, p.File, p.To); err != nil {
				return err
			}
		}
	}
	return nil
}

// stream asks for all parts in one request and returns how many arrived intact before the first error.
func (c *Client) stream(ctx context.Context, from subjects.OutputHost, parts []Part) (done int, err error) {
	attempts := make([]uint64, len(parts))
	for i, p := range parts {
		attempts[i] = p.Attempt
	}
	body, err := c.get(ctx, from, agentpath.Parts(parts[0].File.Path, attempts), 0)
	if err != nil {
		return 0, err
	}
	defer body.Close() //nolint:errcheck // read only
	in := bufio.NewReaderSize(body, 64<<10)
	for _, p := range parts {
		if err := p.readFrom(in); err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// readFrom reads the next file of a stream in the format of package serve.
func (p *Part) readFrom(in io.Reader) error {
	var size uint64
	if err := binary.Read(in, binary.BigEndian, &size); err != nil {
		return err
	}
	if size != uint64(p.File.Size)+1 {
		return fmt.Errorf("file %s of attempt %d has another size than its manifest says", p.File.Path, p.Attempt)
	}
	if err := os.MkdirAll(filepath.Dir(p.To), 0o755); err != nil {
		return err
	}
	part, err := os.Create(partOf(p.To))
	if err != nil {
		return err
	}
	got := &partial{file: part, sum: sha256.New()}
	_, err = io.CopyN(got, in, p.File.Size)
	if err == nil {
		err = p.File.Check(got.size, got.sum.Sum(nil))
	}
	err = errors.Join(err, part.Chmod(p.File.HostMode()), part.Close())
	if err == nil {
		return os.Rename(part.Name(), p.To)
	}
	return errors.Join(err, os.Remove(part.Name()))
}
