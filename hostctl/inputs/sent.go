package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"lull/subjects"
	"lull/subjects/spec"
)

// Place puts copies of the files that were sent along with a job into the folder of an attempt,
// which has been made. A file that the pool does not have, or that is damaged there, fails the
// attempt: the next try would find the same.
func (g *Gatherer) Place(ctx context.Context, at Attempt) error {
	for _, sent := range at.stage().Sent {
		names := strings.Join(sent.Names, ", ")
		b, err := g.bundle(ctx, sent.Content)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return broken(fmt.Errorf("the files sent with the job (%s) are not in the pool any more: submit it again", names))
		case errors.Is(err, fs.ErrInvalid):
			return broken(fmt.Errorf("the files sent with the job (%s) are damaged in the pool: submit it again: %w", names, err))
		case err != nil:
			return transport(fmt.Errorf("files sent with the job (%s): %w", names, err))
		}
		if err := at.Folder.Place(b); errors.Is(err, fs.ErrExist) {
			return broken(fmt.Errorf("the files sent with the job (%s): one is sent twice: %w", names, err))
		} else if err != nil {
			return fmt.Errorf("files sent with the job (%s): %w", names, err)
		}
	}
	return nil
}

// bundle returns a bundle from the host's store, or from the pool.
func (g *Gatherer) bundle(ctx context.Context, content string) (*spec.Bundle, error) {
	if b := g.keptBundle(content); b != nil {
		return b, nil
	}
	select {
	case g.sending <- struct{}{}:
		defer func() { <-g.sending }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if b := g.keptBundle(content); b != nil {
		return b, nil
	}
	body, err := g.cfg.Lookup.Object(ctx, spec.ChunkName(content, 0))
	if err != nil {
		return nil, err
	}
	b, err := decodeBundle(body)
	if err != nil {
		return nil, err
	}
	return b, g.cfg.Store.Sent().Keep(content, body)
}

// keptBundle returns a bundle that the host has, or nil.
func (g *Gatherer) keptBundle(content string) *spec.Bundle {
	body, err := g.cfg.Store.Sent().Read(content)
	if err != nil {
		return nil
	}
	b, err := decodeBundle(body)
	if err != nil {
		return nil
	}
	return b
}

// decodeBundle reads a bundle that any client may have stored.
func decodeBundle(body []byte) (*spec.Bundle, error) {
	if len(body) > spec.MaxBundle {
		return nil, fmt.Errorf("they have %d bytes: %w", len(body), fs.ErrInvalid)
	}
	b := new(spec.Bundle)
	if err := subjects.Unmarshal(body, b); err != nil {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrInvalid)
	}
	if err := b.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrInvalid)
	}
	return b, nil
}
