package embedded

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"lull/actors/jetstream/integrity"
)

// markEvery is the interval between updates of the mark. Messages that a damaged disk
// loses within it may go unnoticed.
const markEvery = time.Second / 2

func (s *Server) markPath() string { return filepath.Join(s.cfg.Dir, "mark") }

// streams is the folder of the accounts' streams.
func (s *Server) streams() string { return filepath.Join(s.store(), "jetstream") }

// check examines the store before the server opens it: the server drops silently what
// it cannot read.
func (s *Server) check() error {
	return integrity.Check(integrity.Config{
		Store: s.streams(), Mark: s.markPath(),
		Aside:  filepath.Join(s.cfg.Dir, "damaged", time.Now().UTC().Format("20060102T150405.000")),
		Repair: s.cfg.Repair, Again: s.cfg.Again, Remedy: s.cfg.Remedy, Seen: s.cfg.Seen,
		Tell: func(text string) {
			if s.cfg.Tell != nil {
				s.cfg.Tell(text)
			}
		},
	})
}

// marker follows the streams of a running server with the mark.
type marker struct {
	known  map[string]integrity.Witness // what the mark is to say
	listed map[string]bool              // streams that this server has listed, and not deleted since
	metas  metaFiles
}

// newMarker continues from the mark of the last run. A stream that this server does not open stays
// in it, so that the next check misses it again.
func (s *Server) newMarker() *marker {
	last, _ := integrity.LoadMark(s.markPath()) // the check has reported a damaged one
	return &marker{known: last.Streams, listed: map[string]bool{}, metas: metaFiles{}}
}

// keepMark writes the mark whenever the streams have changed, until ctx ends, and a last
// time then.
func (s *Server) keepMark(ctx context.Context, running *server.Server, m *marker) {
	var kept map[string]integrity.Witness
	for goesOn := true; goesOn; {
		goesOn = pause(ctx, markEvery)
		if !m.note(s.witnesses(running, m.metas)) || maps.EqualFunc(kept, m.known, integrity.Witness.Equal) {
			continue
		}
		mark := integrity.Mark{Written: time.Now(), Streams: m.known}
		if err := mark.Save(s.markPath(), false); err != nil {
			continue // the disk is full or broken, which the server's health reports
		}
		kept = m.known
	}
}

// note takes what the server lists. It returns false for nil, when the server has no list yet. A
// stream that the server listed earlier and lists no longer was deleted, and leaves the mark.
func (m *marker) note(seen map[string]integrity.Witness) bool {
	if seen == nil {
		return false
	}
	m.known = integrity.Known(m.known, seen)
	for key := range m.listed {
		if _, there := seen[key]; !there {
			delete(m.known, key)
			delete(m.listed, key)
		}
	}
	for key := range seen {
		m.listed[key] = true
	}
	return true
}

// witnesses asks the server for its streams on disk. It returns nil if the server has
// disabled JetStream, which it does after a disk error: it then lists no streams.
func (s *Server) witnesses(running *server.Server, metas metaFiles) map[string]integrity.Witness {
	info, err := running.Jsz(&server.JSzOptions{Accounts: true, Streams: true, Config: true})
	if err != nil || info.Disabled {
		return nil
	}
	seen := map[string]integrity.Witness{}
	for _, account := range info.AccountDetails {
		for _, stream := range account.Streams {
			if stream.Config == nil || stream.Config.Storage != server.FileStorage {
				continue
			}
			key := filepath.Join(account.Name, "streams", stream.Name)
			seen[key] = integrity.Witness{Last: stream.State.LastSeq, Meta: metas.read(filepath.Join(s.streams(), key, "meta.inf"))}
		}
	}
	return seen
}

// metaFiles caches the streams' meta data files, which rarely change.
type metaFiles map[string]metaFileRead

type metaFileRead struct {
	changed time.Time
	body    []byte
}

func (m metaFiles) read(path string) []byte {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	if have, ok := m[path]; ok && have.changed.Equal(info.ModTime()) {
		return have.body
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	m[path] = metaFileRead{info.ModTime(), body}
	return body
}
