package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"

	"lull/actors/jetstream"
	"lull/client/bundle"
	"lull/subjects"
	"lull/subjects/spec"
)

// sentAgain is the age from which content is stored again although the pool has it. A pool that runs out
// of room drops content that no job names once it is a day old, so younger content outlives the
// submission.
const sentAgain = 12 * time.Hour

// keep stores an encoded bundle and returns the name of its content.
type keep func(ctx context.Context, body []byte, names []string) (string, error)

// fillFiles reads the files that are sent along and replaces them by the names of their content.
func fillFiles(ctx context.Context, doc *spec.Doc, folder string, keep keep) error {
	left := int64(spec.MaxSent)
	pack := func(path string, files []spec.DocFile) (*spec.Bundle, []spec.Sent, error) {
		if len(files) == 0 {
			return &spec.Bundle{}, nil, nil
		}
		b, names, err := bundle.Pack(ctx, folder, files, left)
		if err != nil {
			var invalid *spec.Error
			if errors.As(err, &invalid) {
				return nil, nil, doc.Errorf(path, "%s", invalid.Text)
			}
			return nil, nil, doc.Errorf(path, "%v", err)
		}
		left -= b.Bytes()
		body, err := subjects.Marshal(b)
		if err != nil {
			return nil, nil, err
		}
		content, err := keep(ctx, body, names)
		return b, []spec.Sent{{Content: content, Names: bounded(names)}}, err
	}
	all, common, err := pack("files", doc.Files)
	if err != nil {
		return err
	}
	doc.Files = nil
	for i := range doc.Stages {
		path := "stages[" + strconv.Itoa(i) + "].files"
		own, sent, err := pack(path, doc.Stages[i].Files)
		if err != nil {
			return err
		}
		if at := all.Clash(own); at != "" {
			return doc.Errorf(path, "the job sends %q too: give each file a place of its own with to:", at)
		}
		st := &doc.Stages[i]
		st.Files, st.Sent = nil, append(st.Sent, append(sent, common...)...)
	}
	return nil
}

// bounded keeps the number of names in a document small.
func bounded(names []string) []string {
	if most := spec.MaxNames; len(names) > most {
		names = append(names[:most-1:most-1], "…")
	}
	return names
}

// fileStore keeps files in the pool.
type fileStore struct{ *Client }

// keep stores a bundle in the form of a task list with one chunk, unless this user has stored the same
// bundle lately.
func (c fileStore) keep(ctx context.Context, body []byte, names []string) (string, error) {
	index := jetstream.BlobName(body)
	root := jetstream.BlobName(index)
	user := c.user
	if user == "" {
		user = subjects.Nobody
	}
	name := spec.SummedList(hex.EncodeToString(root))
	if known, err := jetstream.BlobPutTime(ctx, c.bus, user, hex.EncodeToString(root)); err == nil && time.Since(known).Abs() < sentAgain {
		return name, nil
	}
	if err := c.may(ctx, c.pool.Piece(subjects.Nobody, "any"), "store files for jobs"); err != nil {
		return "", err
	}
	for _, blob := range [][]byte{body, index} { // the content first, because the index names it
		if _, err := c.bus.PutBlob(ctx, blob); err != nil {
			return "", unacknowledged("the files", fmt.Errorf("store %s: %w", shown(names), err))
		}
	}
	return name, nil
}

func shown(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return fmt.Sprintf("%s and %d more", names[0], len(names)-1)
}

// nameFiles is a keep that only computes the name.
func nameFiles(_ context.Context, body []byte, _ []string) (string, error) {
	sum := sha256.Sum256(body)
	return spec.SummedList(hex.EncodeToString(sum[:])), nil
}
