// Package remote fetches the lines of ranges of URLs, as they were pinned at submission.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lull/client/fetch"
	"lull/hostctl/lines"
	"lull/subjects/spec"
)

// Fetch fetches the lines of a URL's range into a new file and returns how many
// bytes they are. It fails with a *lines.InputError when the URL is not what was
// pinned, or cannot be read in parts.
func Fetch(ctx context.Context, client *http.Client, r spec.Range, path string) (int64, error) {
	u := &remote{client: client, ctx: ctx, r: r}
	begin, end, err := lines.Bounds(u, r)
	if err != nil {
		return 0, u.fault(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	to := &counter{file: f}
	err = fetch.Retry(ctx, func() error { return u.copy(to, begin+to.size, end) })
	return to.size, errors.Join(u.fault(err), f.Close())
}

// counter counts what was written of a file, where a try after a broken one goes on.
type counter struct {
	file *os.File
	size int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.file.Write(b)
	c.size += int64(n)
	if err != nil {
		err = fetch.PermanentError{Err: err}
	}
	return n, err
}

// remote reads parts of a URL.
type remote struct {
	client *http.Client
	ctx    context.Context
	r      spec.Range
}

// ReadAt makes a remote an io.ReaderAt, to look for line ends.
func (u *remote) ReadAt(b []byte, at int64) (n int, err error) {
	err = fetch.Retry(u.ctx, func() error {
		body, err := u.get(at, at+int64(len(b)))
		if err != nil {
			return err
		}
		defer body.Close() //nolint:errcheck // only read
		n, err = io.ReadFull(body, b)
		return err
	})
	return n, err
}

func (u *remote) copy(to io.Writer, begin, end int64) error {
	if begin >= end {
		return nil
	}
	body, err := u.get(begin, end)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, io.LimitReader(body, end-begin))
	if err == nil && n < end-begin {
		err = io.ErrUnexpectedEOF
	}
	return errors.Join(err, body.Close())
}

// get asks for the bytes [begin, end).
func (u *remote) get(begin, end int64) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(u.ctx, http.MethodGet, u.r.Path, nil)
	if err != nil {
		return nil, fetch.PermanentError{Err: u.broken("%v", err)}
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", begin, end-1))
	req.Header.Set("Accept-Encoding", "identity")
	res, err := u.client.Do(req)
	if err != nil {
		return nil, err
	}
	if err := u.check(res, begin); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	return fetch.WithStallLimit(res.Body, 0), nil
}

// check compares an answer with the pin. What a retry may repair is not the
// input's fault: a server that is busy, or asks for patience.
func (u *remote) check(res *http.Response, begin int64) error {
	size := fmt.Sprint("/", u.r.Size)
	written, _ := http.ParseTime(res.Header.Get("Last-Modified"))
	switch {
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusRequestTimeout || res.StatusCode >= 500:
		return fmt.Errorf("%s: the server answers %s", u.r.Path, res.Status)
	case res.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return fetch.PermanentError{Err: u.broken("changed since submission: it has fewer than %d bytes, it had %d (submit again)", begin+1, u.r.Size)}
	case res.StatusCode == http.StatusOK:
		return fetch.PermanentError{Err: u.broken("the server does not serve parts of a file (HTTP ranges), which tasks need")}
	case res.StatusCode != http.StatusPartialContent:
		return fetch.PermanentError{Err: u.broken("the server answers %s", res.Status)}
	case !strings.HasSuffix(res.Header.Get("Content-Range"), size):
		return fetch.PermanentError{Err: u.broken("changed since submission: it is now %s, it had %d bytes (submit again)", res.Header.Get("Content-Range"), u.r.Size)}
	case !strings.HasPrefix(res.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", begin)):
		return fetch.PermanentError{Err: u.broken("the server sends another part than was asked for: %s", res.Header.Get("Content-Range"))}
	case u.r.Tag != "" && res.Header.Get("ETag") != u.r.Tag:
		return fetch.PermanentError{Err: u.broken("changed since submission: its tag is %s, it was %s (submit again)", res.Header.Get("ETag"), u.r.Tag)}
	case u.r.Tag == "" && u.r.MTime != 0 && written.UnixNano() != u.r.MTime:
		return fetch.PermanentError{Err: u.broken("changed since submission: written at %v, it was of %v (submit again)", written.UTC(), time.Unix(0, u.r.MTime).UTC())}
	}
	return nil
}

func (u *remote) broken(format string, args ...any) error {
	return &lines.InputError{Path: u.r.Path, Err: fmt.Errorf(format, args...)}
}

// fault keeps the InputError of a permanent fault, which is the input's own. It strips it from a
// fault of the connection: package lines would attribute that fault to the input.
func (u *remote) fault(err error) error {
	var stop fetch.PermanentError
	var input *lines.InputError
	switch {
	case errors.As(err, &stop) && errors.As(stop.Err, &input):
		return input
	case errors.As(err, &input):
		return fmt.Errorf("%s: %w", input.Path, input.Err)
	}
	return err
}
