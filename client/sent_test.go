package client_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/client"
	"lull/hostctl/lookup"
	"lull/subjects"
	"lull/subjects/spec"
)

const withFiles = "name: f\nfiles: [run.sh]\nstages:\n  - {name: a, command: ./run.sh}\n  - {name: b, command: ./run.sh, files: big}\n"

// stored returns the number of the last message of the stream that keeps files.
func (r *rig) stored(t *testing.T) uint64 {
	t.Helper()
	js, err := r.nc.JetStream()
	must(t, err)
	info, err := js.StreamInfo(pool.Lists())
	must(t, err)
	return info.State.LastSeq
}

// sendFiles expands a document with a script and a file of some pieces.
func (r *rig) sendFiles(t *testing.T, dir string) (job spec.Job) {
	t.Helper()
	doc := parse(t, withFiles)
	must(t, r.Expand(t.Context(), doc, dir))
	job, err := doc.Job()
	must(t, err)
	return job
}

func scripts(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "run.sh"), []byte("#!/bin/sh\n"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "big"), []byte(strings.Repeat("0123456789", 200_000)), 0o644))
	return dir
}

func TestFilesAreStoredOnce(t *testing.T) {
	r, ctx := newRig(t)
	job := r.sendFiles(t, scripts(t))
	a, b := job.Stages[0].Sent, job.Stages[1].Sent
	if len(a) != 1 || len(b) != 2 || a[0].Content != b[1].Content || a[0].Names[0] != "run.sh" || b[0].Names[0] != "big" {
		t.Fatalf("Sent of the stages = %+v, %+v, want run.sh in both and big in the second", a, b)
	}
	body, err := lookup.New(r.bus).Object(ctx, spec.ChunkName(b[0].Content, 0))
	must(t, err)
	var got spec.Bundle
	must(t, subjects.Unmarshal(body, &got))
	if len(got.Entries) != 1 || len(got.Entries[0].Body) != 2_000_000 {
		t.Errorf("hosts read %d entries, the first of %d bytes, want 1, 2000000", len(got.Entries), len(got.Entries[0].Body))
	}
	before := r.stored(t)
	if again := r.sendFiles(t, scripts(t)); again.Stages[1].Sent[0].Content != b[0].Content || r.stored(t) != before {
		t.Errorf("the same content again = %+v with %d messages more, want the same name and 0", again.Stages[1].Sent, r.stored(t)-before)
	}
	doc := parse(t, withFiles)
	must(t, client.Count(ctx, doc, scripts(t)))
	if _, err := doc.Job(); err != nil || r.stored(t) != before {
		t.Errorf("a dry run: %v, %d messages more, want a job and 0", err, r.stored(t)-before)
	}
}

func TestFilesThatClashAreRefused(t *testing.T) {
	r, ctx := newRig(t)
	doc := parse(t, "name: f\nfiles: [run.sh]\nstages:\n  - {name: a, command: x, files: {from: big, to: run.sh}}\n")
	if err := r.Expand(ctx, doc, scripts(t)); err == nil || !strings.Contains(err.Error(), `line 4`) || !strings.Contains(err.Error(), `the job sends "run.sh" too`) {
		t.Errorf("Expand(two files under one name) = %v, want an error at line 4", err)
	}
	dir := scripts(t)
	must(t, os.WriteFile(filepath.Join(dir, "one"), make([]byte, spec.MaxSent/2+1), 0o644))
	must(t, os.WriteFile(filepath.Join(dir, "two"), make([]byte, spec.MaxSent/2), 0o644))
	doc = parse(t, "name: f\nstages:\n  - {name: a, command: x, files: one}\n  - {name: b, command: x, files: two}\n")
	if err := r.Expand(ctx, doc, dir); err == nil || !strings.Contains(err.Error(), "line 4") || !strings.Contains(err.Error(), "more than 10 MB") {
		t.Errorf("Expand(more than 10 MB in two stages) = %v, want an error at line 4", err)
	}
}

// Others can put what they like under the name of a piece. Hosts find no content then, or the right
// one, and submitting the files again repairs it.
func TestTamperedFilesAreFoundOut(t *testing.T) {
	r, ctx := newRig(t)
	dir := scripts(t)
	content := r.sendFiles(t, dir).Stages[0].Sent[0].Content
	sum, _ := spec.ParseListName(content)
	js, err := r.nc.JetStream()
	must(t, err)
	publish := func(user, sum string, body []byte) {
		t.Helper()
		_, err := js.PublishMsg(&nats.Msg{Subject: pool.Piece(user, sum), Data: body})
		must(t, err)
	}
	hosts := lookup.New(r.bus)
	publish("mallory", sum, []byte("\x00forged"))
	if _, err := hosts.Object(ctx, spec.ChunkName(content, 0)); err != nil {
		t.Errorf("Object() beside another user's message = %v, want no error", err)
	}
	publish(subjects.Nobody, sum, []byte("\x00forged"))
	if body, err := hosts.Object(ctx, spec.ChunkName(content, 0)); err == nil {
		t.Errorf("Object() = %q behind a forged message, want an error", body)
	}
	r.sendFiles(t, dir)
	if _, err := hosts.Object(ctx, spec.ChunkName(content, 0)); err != nil {
		t.Errorf("Object() after the files were sent again = %v, want no error", err)
	}
}

func TestTwoSendTheSameFilesAtOnce(t *testing.T) {
	r, ctx := newRig(t)
	dir := scripts(t)
	jobs := make([]spec.Job, 4)
	var all sync.WaitGroup
	for i := range jobs {
		all.Go(func() { jobs[i] = r.sendFiles(t, dir) })
	}
	all.Wait()
	for _, job := range jobs {
		for _, sent := range job.Stages[1].Sent {
			if sent.Content != jobs[0].Stages[1].Sent[0].Content && sent.Content != jobs[0].Stages[1].Sent[1].Content {
				t.Errorf("the same files have the name %s, want one of those before", sent.Content)
			}
			if _, err := lookup.New(r.bus).Object(ctx, spec.ChunkName(sent.Content, 0)); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAFullPoolNamesTheFiles(t *testing.T) {
	r, ctx := newRig(t)
	js, err := r.nc.JetStream()
	must(t, err)
	info, err := js.StreamInfo(pool.Lists())
	must(t, err)
	cfg := info.Config
	cfg.MaxBytes = 1 << 20
	_, err = js.UpdateStream(&cfg)
	must(t, err)
	err = r.Expand(ctx, parse(t, withFiles), scripts(t))
	if err == nil || !strings.Contains(err.Error(), "store big: ") {
		t.Errorf("Expand() = %v, want an error: store big", err)
	}
	t.Log(err)
}

// The name of a blob is known before it is stored.
func TestBlobsAreNamedByTheirContent(t *testing.T) {
	r, ctx := newRig(t)
	for _, n := range []int{0, 1, 512 << 10, 512<<10 + 1, 3 << 20} {
		body := make([]byte, n)
		name, err := r.bus.PutBlob(ctx, body)
		must(t, err)
		if got := hex.EncodeToString(jetstream.BlobName(body)); got != name || len(name) != 2*sha256.Size {
			t.Errorf("%d bytes are named %s, want %s", n, name, got)
		}
	}
}
