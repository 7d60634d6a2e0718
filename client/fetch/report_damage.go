package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/agentpath"
	"lull/subjects/manifest"
)

// damageReportWithin bounds the wait for a host's answer to a report.
const damageReportWithin = 10 * time.Second

// reportDamage reports to the host that keeps an output that its bytes were wrong, or that each answer
// broke off, as when the disk cannot read them. The host then compares them with the manifest
// itself. A host of an earlier release takes this for a request for the manifest.
//
// It returns err, with the folder of the output if the host names it.
func (c *Client) reportDamage(ctx context.Context, from subjects.OutputHost, attempt uint64, err error) error {
	if !errors.Is(err, manifest.ErrDamaged) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, damageReportWithin)
	defer cancel()
	res, e := c.Do(ctx, from, agentpath.DamagedManifest(attempt), 0)
	if e != nil {
		return err // the next reader reports it
	}
	defer res.Body.Close() //nolint:errcheck // read only
	if res.StatusCode != http.StatusAccepted {
		return err
	}
	folder, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	return fmt.Errorf("%w (it is kept in %s)", err, strings.TrimSpace(string(folder)))
}
