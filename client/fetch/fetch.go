package fetch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lull/client/holes"
	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/manifest"
)

const (
	tries       = 5
	firstPause  = 100 * time.Millisecond // doubles with each try
	maxManifest = 64 << 20               // bytes: half a million files
	maxRefusal  = 1 << 10                // bytes of a host's text about a request: it may name a folder
)

// Client fetches from the hosts that sources name. The zero value is ready for hosts of
// releases without tickets.
type Client struct {
	HTTP http.Client
	// Ticket asks a host for a ticket. Without it, and for hosts that issue none, the
	// client sends the source's own token.
	Ticket func(ctx context.Context, host string) (subjects.TicketAnswer, error)
	// Stall is how long an answer may bring nothing. Defaults to DefaultStall.
	Stall time.Duration

	tickets tickets
}

// PermanentError is an error that trying again cannot resolve.
type PermanentError struct{ Err error }

func (p PermanentError) Error() string { return p.Err.Error() }

// Unwrap returns the error.
func (p PermanentError) Unwrap() error { return p.Err }

// absent is the answer of a host that does not have what it was asked for. It counts as
// fs.ErrNotExist, and its text is the host's.
type absent struct{ error }

func (absent) Is(target error) bool { return target == fs.ErrNotExist }

// Manifest fetches and checks the manifest of an attempt. Its error is fs.ErrNotExist if the
// host does not have the attempt's output.
func (c *Client) Manifest(ctx context.Context, from subjects.OutputHost, attempt uint64, want subjects.Digest) (manifest.Manifest, error) {
	var m manifest.Manifest
	err := Retry(ctx, func() error {
		body, err := c.get(ctx, from, agentpath.Manifest(attempt), 0)
		if err != nil {
			return err
		}
		defer body.Close() //nolint:errcheck // read only
		b, err := io.ReadAll(io.LimitReader(body, maxManifest))
		if err != nil {
			return err
		}
		m, err = manifest.Decode(b, want)
		return err
	})
	if err != nil {
		return m, fmt.Errorf("host %s, manifest of attempt %d: %w", from.Host, attempt, c.reportDamage(ctx, from, attempt, err))
	}
	return m, nil
}

// File fetches a file of an attempt to path. The file appears there only when it is complete and
// matches the manifest. Its error is fs.ErrNotExist if the host does not have the file. Links and
// empty folders are made without asking the host.
func (c *Client) File(ctx context.Context, from subjects.OutputHost, attempt uint64, file manifest.File, path string) error {
	if file.Folder {
		return os.MkdirAll(path, 0o755)
	}
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil && file.Link != "" {
		return link(file.Link, path)
	}
	if err == nil {
		err = c.file(ctx, from, attempt, file, path)
	}
	if err != nil {
		return fmt.Errorf("host %s, file %s of attempt %d: %w", from.Host, file.Path, attempt, c.reportDamage(ctx, from, attempt, err))
	}
	return nil
}

func (c *Client) file(ctx context.Context, from subjects.OutputHost, attempt uint64, file manifest.File, path string) error {
	part, err := os.Create(partOf(path))
	if err != nil {
		return PermanentError{err}
	}
	defer os.Remove(part.Name()) //nolint:errcheck // gone after the rename
	defer part.Close()           //nolint:errcheck // not synced: it can be fetched again
	got := newPartial(part, file)
	err = Retry(ctx, func() error {
		return c.resume(ctx, from, attempt, file, got)
	})
	if err != nil {
		return err
	}
	if file.Holes != nil {
		err = part.Truncate(file.Size)
	}
	if err := errors.Join(err, part.Chmod(os.FileMode(file.Mode))); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}

// link makes a symbolic link in the place of a file or link that is there.
func link(target, path string) error {
	part := partOf(path)
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(target, part); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// partOf returns the path that a file has until it is complete. Its name contains a hash, because a task may
// have given another output any name. It is always the same, so that a later fetch overwrites
// what a killed process left.
func partOf(path string) string {
	dir, name := filepath.Split(path)
	return fmt.Sprintf("%s.lull-%.8x.part", dir, sha256.Sum256([]byte(name)))
}

// partial is what has come of a file so far.
type partial struct {
	file *os.File
	to   *holes.Writer // nil for a file without holes
	sum  hash.Hash
	size int64
}

func newPartial(part *os.File, file manifest.File) *partial {
	p := &partial{file: part, sum: sha256.New()}
	if file.Holes != nil {
		p.to = holes.NewWriter(part, file.Holes.Data)
	}
	return p
}

func (p *partial) Write(b []byte) (int, error) {
	n, err := p.write(b)
	p.sum.Write(b[:n])
	p.size += int64(n)
	if err != nil {
		err = PermanentError{err}
	}
	return n, err
}

func (p *partial) write(b []byte) (int, error) {
	if p.to != nil {
		return p.to.Write(b)
	}
	return p.file.Write(b)
}

func (p *partial) restart() error {
	if p.to != nil {
		p.to.Restart()
	}
	p.sum.Reset()
	p.size = 0
	_, err := p.file.Seek(0, io.SeekStart)
	return errors.Join(err, p.file.Truncate(0))
}

// resume continues where the last try ended. A whole file that is wrong, or shorter than in the
// manifest, is fetched once more from its beginning: the bytes may have been damaged on the way.
func (c *Client) resume(ctx context.Context, from subjects.OutputHost, attempt uint64, file manifest.File, got *partial) error {
	path, size := agentpath.File(attempt, file.Path), file.Stored()
	if file.Holes != nil {
		path = agentpath.DataOf(attempt, file.Path)
	}
	if got.size < size || size == 0 {
		body, err := c.get(ctx, from, path, got.size)
		if err != nil {
			return err
		}
		_, err = io.Copy(got, io.LimitReader(body, size-got.size+1))
		_ = body.Close()
		if err != nil {
			return err
		}
	}
	if err := file.Check(got.size, got.sum.Sum(nil)); err != nil {
		return errors.Join(err, got.restart())
	}
	return nil
}

// get asks for the bytes from offset on. It renews a ticket that the host refuses because
// its agent was restarted.
func (c *Client) get(ctx context.Context, from subjects.OutputHost, path string, offset int64) (io.ReadCloser, error) {
	res, err := c.Do(ctx, from, path, offset)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusOK && offset == 0 || res.StatusCode == http.StatusPartialContent {
		return WithStallLimit(res.Body, c.Stall), nil
	}
	return nil, refusal(res)
}

// refusal closes a response that is not a success and returns it as an error.
func refusal(res *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	_ = res.Body.Close()
	err := fmt.Errorf("%s: %s", res.Status, strings.TrimSpace(string(text)))
	if res.StatusCode == http.StatusNotFound {
		return PermanentError{absent{err}}
	}
	if res.StatusCode >= 400 && res.StatusCode < 500 {
		return PermanentError{err}
	}
	return err
}

// Do requests a path of a host, from an offset on, with a ticket. The caller checks the
// response's status and closes its body.
func (c *Client) Do(ctx context.Context, from subjects.OutputHost, path string, offset int64) (*http.Response, error) {
	bearer, fresh, err := c.bearer(ctx, from)
	if err != nil {
		return nil, err
	}
	res, err := c.ask(ctx, from, path, offset, bearer)
	if err != nil || res.StatusCode != http.StatusUnauthorized || fresh || from.Token != "" {
		return res, err
	}
	_ = res.Body.Close()
	c.tickets.drop(from.Host, bearer)
	if bearer, _, err = c.bearer(ctx, from); err != nil {
		return nil, err
	}
	return c.ask(ctx, from, path, offset, bearer)
}

func (c *Client) ask(ctx context.Context, from subjects.OutputHost, path string, offset int64, bearer string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from.URL+path, nil)
	if err != nil {
		return nil, PermanentError{err}
	}
	req.Header.Set("Authorization", "Bearer "+bearer)
	req.Header.Set("Accept-Encoding", "identity")
	if offset > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	client := c.HTTP
	client.CheckRedirect = stay
	return client.Do(req)
}

// stay refuses a redirection to another origin. Package http compares host names only, so it would send the ticket
// to another port of the host, and a host could have others ask servers that only they reach.
func stay(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; to.URL.Scheme != from.Scheme || to.URL.Host != from.Host || len(via) >= 10 {
		return PermanentError{fmt.Errorf("it redirects to %s://%s: only the host itself gets the ticket", to.URL.Scheme, to.URL.Host)}
	}
	return nil
}

// Retry calls try until it succeeds, fails with a PermanentError, has got wrong bytes twice, or has been
// called five times. It pauses between the calls.
func Retry(ctx context.Context, try func() error) error {
	pause, damaged := firstPause, 0
	for left := tries - 1; ; left-- {
		err := try()
		if errors.Is(err, manifest.ErrDamaged) {
			damaged++
		}
		var stop PermanentError
		if err == nil || errors.As(err, &stop) || left == 0 || damaged == 2 {
			return err
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		}
	}
}
