package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"lull/client/fetch"
	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// CutError says, behind all that a host kept of a stream, that the attempt wrote more.
type CutError struct{ Missing int64 }

func (e *CutError) Error() string {
	return fmt.Sprintf("its last %s are missing: they are beyond what the host keeps of a stream (--task-log-size of its agent)", humane.Count(int(e.Missing), "byte"))
}

// Log opens what an attempt wrote to one of its streams. With follow the reader delivers further output
// until the attempt ends. The reader asks again where a connection broke. If the host did not keep all that was
// written, the reader ends with a *CutError. The caller closes it. The error is ErrNoLog, among others.
func (c *Client) Log(ctx context.Context, h *ledger.Host, attempt uint64, stream string, follow bool) (io.ReadCloser, error) {
	return LogFrom(ctx, c, h, attempt, stream, follow, 0)
}

// LogFrom does what a client's Log does, without the first bytes.
func LogFrom(ctx context.Context, c *Client, h *ledger.Host, attempt uint64, stream string, follow bool, first int64) (io.ReadCloser, error) {
	from, err := outputHost(h)
	if err != nil {
		return nil, err
	}
	b := &logBody{ctx: ctx, fetch: &c.fetch, from: from, path: agentpath.Log(attempt, stream, follow), at: first}
	return b, b.open()
}

// logBody reads a log, over as many connections as it takes.
type logBody struct {
	ctx   context.Context
	fetch *fetch.Client
	from  subjects.OutputHost
	path  string

	at    int64 // bytes of the log that were read
	got   bool  // bytes came by this connection
	whole bool  // the host's logs never change, so that what follows can be asked for
	res   *http.Response
}

// open asks for what follows the bytes that were read.
func (b *logBody) open() error {
	res, err := b.fetch.Do(b.ctx, b.from, b.path, b.at)
	if err != nil {
		return fmt.Errorf("ask host %s for the log: %w", b.from.Host, err)
	}
	if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusPartialContent {
		return b.refused(res)
	}
	b.res, b.got, b.whole = res, false, res.Header.Get(agentpath.LogWhole) != ""
	if res.StatusCode == http.StatusPartialContent {
		return nil
	}
	// A host of an earlier release sends all. It may have cut its log meanwhile.
	if _, err := io.CopyN(io.Discard, res.Body, b.at); err != nil && !errors.Is(err, io.EOF) {
		return errors.Join(err, res.Body.Close())
	}
	return nil
}

func (b *logBody) refused(res *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(res.Body, 200))
	_ = res.Body.Close()
	if res.StatusCode == http.StatusNotFound {
		return fetch.PermanentError{Err: fmt.Errorf("host %s: %w: %s", b.from.Host, ErrNoLog, strings.TrimSpace(string(text)))}
	}
	return fmt.Errorf("host %s: %s", b.from.Host, strings.TrimSpace(string(text)))
}

func (b *logBody) Read(p []byte) (int, error) {
	for {
		n, err := b.res.Body.Read(p)
		b.at, b.got = b.at+int64(n), b.got || n > 0
		switch {
		case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return n, b.end()
		case n > 0 || err == nil:
			return n, nil // a connection that broke breaks again
		case !b.whole || !b.got || b.ctx.Err() != nil:
			return 0, err
		}
		_ = b.res.Body.Close()
		if err := fetch.Retry(b.ctx, b.open); err != nil {
			return 0, err
		}
	}
}

// end returns io.EOF, or that bytes are missing.
func (b *logBody) end() error {
	if missing, _ := strconv.ParseInt(b.res.Trailer.Get(agentpath.LogCut), 10, 64); missing > 0 {
		return &CutError{missing}
	}
	return io.EOF
}

func (b *logBody) Close() error { return b.res.Body.Close() }
