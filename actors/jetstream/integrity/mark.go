package integrity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Mark is a record, kept beside a store, of the streams that the store holds.
type Mark struct {
	Written time.Time `json:"written"`
	// Clean says that the server had stopped, so the sequences are exact.
	// Otherwise they are lower bounds.
	Clean   bool               `json:"clean"`
	Streams map[string]Witness `json:"streams"`
}

// Witness is what the mark holds of a stream.
type Witness struct {
	Last uint64 `json:"last"` // sequence of the last message, 0 if there was none yet
	Meta []byte `json:"meta"` // the file meta.inf
}

// sealed is the content of the mark's file: the mark with a checksum of its bytes.
type sealed struct {
	Sum  uint32          `json:"sum"`
	Mark json.RawMessage `json:"mark"`
}

var table = crc32.MakeTable(crc32.Castagnoli)

// Save replaces the mark's file atomically, and syncs it if durable is set. Without a
// sync, a power cut may leave an older mark, which is still a lower bound.
func (m Mark) Save(path string, durable bool) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	file, err := json.Marshal(sealed{crc32.Checksum(body, table), body})
	if err != nil {
		return err
	}
	if err := write(path, file, durable); err != nil {
		return fmt.Errorf("mark of the store: %w", err)
	}
	return nil
}

// LoadMark reads a mark. It is empty if there is no file, and also, with an error, if
// the file is damaged.
func LoadMark(path string) (Mark, error) {
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Mark{}, nil
	}
	if err != nil {
		return Mark{}, fmt.Errorf("mark of the store: %w", err)
	}
	var s sealed
	if err := json.Unmarshal(file, &s); err != nil || crc32.Checksum(s.Mark, table) != s.Sum {
		return Mark{}, fmt.Errorf("mark of the store: %s is damaged", path)
	}
	var m Mark
	return m, json.Unmarshal(s.Mark, &m)
}

// write replaces a file atomically.
func write(path string, b []byte, durable bool) error {
	draft, err := os.OpenFile(path+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = draft.Write(b)
	if durable {
		err = errors.Join(err, draft.Sync())
	}
	if err = errors.Join(err, draft.Close()); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil || !durable {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Equal reports whether two witnesses say the same.
func (w Witness) Equal(o Witness) bool { return w.Last == o.Last && bytes.Equal(w.Meta, o.Meta) }

// Known is what is known of streams before and what is seen of them now. The last
// sequence of a stream never falls: one that the disk takes back must be missed at the
// next start. A stream that is not seen stays as it was known.
func Known(before, now map[string]Witness) map[string]Witness {
	all := maps.Clone(before)
	if all == nil {
		all = map[string]Witness{}
	}
	for key, w := range now {
		if old := all[key]; createdOf(old.Meta).Equal(createdOf(w.Meta)) {
			w.Last = max(w.Last, old.Last)
		}
		all[key] = w
	}
	return all
}

// Stopped returns the mark of a store whose server has stopped, given what was known of its streams
// before.
func Stopped(store string, before map[string]Witness) (Mark, error) {
	m := Mark{Written: time.Now(), Clean: true, Streams: map[string]Witness{}}
	dirs, err := filepath.Glob(filepath.Join(store, "*", "streams", "*"))
	for _, dir := range dirs {
		key, _ := filepath.Rel(store, dir) // cannot fail: dir is below store
		s := stream{name: filepath.Base(dir), dir: dir}
		if s.readMeta(); s.meta == nil {
			continue
		}
		last, lastErr := s.lastOnDisk()
		err = errors.Join(err, lastErr)
		m.Streams[key] = Witness{Last: last, Meta: s.meta}
	}
	m.Streams = Known(before, m.Streams)
	return m, err
}

// lastOnDisk returns the last sequence of the last block that is not empty.
func (s *stream) lastOnDisk() (last uint64, err error) {
	list, err := blocks(s.dir)
	for _, b := range slices.Backward(list) {
		if last > 0 || err != nil {
			break
		}
		work := 0
		err = b.read(s.name, &work, func(_ int, r record) { last = max(last, r.seq) })
	}
	return last, err
}
