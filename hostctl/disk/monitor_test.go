package disk

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

type fakeStore struct {
	root        string
	free, total int64
	perFile     int64
	err         error
}

func (s *fakeStore) Root() string                 { return s.root }
func (s *fakeStore) Space() (int64, int64, error) { return s.free, s.total, s.err }
func (s *fakeStore) PerFile() int64               { return s.perFile }

// A disk that is full counts as full until a quarter more than the reserve is free, and while
// its free space is not known.
func TestADiskStaysFullUntilThereIsRoom(t *testing.T) {
	s := &fakeStore{total: 1000}
	var reports []any
	m := New(Config{
		Store: s, MinFree: 100, Running: func() []Attempt { return nil },
		Report: func(r any) { reports = append(reports, r) }, Logger: slog.New(slog.DiscardHandler),
	})
	for _, c := range []struct {
		free int64
		err  error
		full bool
	}{{100, nil, false}, {99, nil, true}, {124, nil, true}, {0, errors.New("no disk"), true}, {125, nil, false}} {
		s.free, s.err = c.free, c.err
		m.checkSpace(new(guard.Fill))
		if m.Full() != c.full {
			t.Errorf("%d bytes free (%v): Full() = %v, want %v", c.free, c.err, m.Full(), c.full)
		}
	}
	if len(reports) != 2 || reports[0] != (actor.Disk{Full: true}) || reports[1] != (actor.Disk{}) {
		t.Errorf("reported %v, want full and not full", reports)
	}
}

func TestUsageCountsFilesAndThoseThatAreDeletedAndOpen(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "file"), make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	gone, err := os.Create(filepath.Join(root, "gone"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = gone.Close() }()
	if _, err := gone.Write(make([]byte, 2<<20)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone.Name()); err != nil {
		t.Fatal(err)
	}
	m := New(Config{Store: &fakeStore{root: root}, Proc: "/proc"})
	n := m.usage(Attempt{Folders: []string{root}, Pids: func() ([]int, error) { return []int{os.Getpid()}, nil }})
	if n < 3<<20 || n > 4<<20 {
		t.Errorf("%d bytes, want 3 MB", n)
	}
}
