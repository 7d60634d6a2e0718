package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"lull/subjects/agentpath"
	"lull/subjects/ledger"
)

// Streams of an attempt.
const (
	Stdout = agentpath.Stdout
	Stderr = agentpath.Stderr
)

// Log opens what an attempt wrote to one of its streams; with follow it goes
// on until the attempt ends. The caller closes it.
func (c *Client) Log(ctx context.Context, h *ledger.Host, attempt uint64, stream string, follow bool) (io.ReadCloser, error) {
	from, err := source(h)
	if err != nil {
		return nil, err
	}
	response, err := c.fetch.Do(ctx, from, agentpath.Log(attempt, stream, follow), 0)
	if err != nil {
		return nil, fmt.Errorf("ask host %s for the log: %w", from.Host, err)
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 200))
		_ = response.Body.Close()
		return nil, fmt.Errorf("host %s: %s", from.Host, strings.TrimSpace(string(text)))
	}
	return response.Body, nil
}
