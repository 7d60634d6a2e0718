package fetch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"lull/subjects"
	"lull/subjects/agentpath"
)

// Probe has a host fetch bytes from another one, and returns how many came in which time.
func (c *Client) Probe(ctx context.Context, at subjects.OutputHost, of string) (answer subjects.ProbeAnswer, err error) {
	res, err := c.Do(ctx, at, agentpath.ProbeOf(of), 0)
	if err != nil {
		return answer, fmt.Errorf("host %s: %w", at.Host, err)
	}
	if res.StatusCode != http.StatusOK {
		return answer, fmt.Errorf("host %s: %w", at.Host, refusal(res))
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if err := json.NewDecoder(io.LimitReader(res.Body, maxRefusal)).Decode(&answer); err != nil || !(answer.Seconds > 0) || answer.Bytes < 0 {
		return answer, fmt.Errorf("host %s: it did not answer as a host that was started with --probe does", at.Host)
	}
	return answer, nil
}
