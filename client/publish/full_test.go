package publish

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// smallDisk is a folder on a disk of 1 MB.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to mount a small disk")
	}
	small := t.TempDir()
	if err := unix.Mount("lull-test", small, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs the right to mount: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(small, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return small
}

// Results that find no room leave what stood there as it was, nothing of their own, and a message
// that names the folder and what to do. Once there is room the same run is published.
func TestAFullOutputKeepsWhatStoodThere(t *testing.T) {
	output := smallDisk(t)
	if err := publish("before", 1, output, "00000/a=old"); err != nil {
		t.Fatal(err)
	}
	stood := tree(t, output)
	filler := filepath.Join(output, "filler")
	put(t, filler, strings.Repeat("x", 700<<10))
	defer func() {
		if entries, _ := os.ReadDir(output); t.Failed() {
			t.Log(entries)
		}
	}()
	result := "00000/a=" + strings.Repeat("n", 600<<10)
	err := publish("job", 2, output, result)
	if !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("publish to a full volume = %v, want no space", err)
	}
	for _, want := range []string{"no room in " + output, "614 kB to be written", "lull retry job", "lull outputs job --to DIR"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if now := tree(t, output); now != stood {
		t.Errorf("output = %s, want %s as before", now, stood)
	}
	if err := publish("job", 3, output, result); err != nil {
		t.Fatal(err)
	}
	if now := tree(t, output); !strings.Contains(now, "count/00000/a=nnn") || strings.Contains(now, Marker+"-job") {
		t.Errorf("output after the repeat = %.200s, want the new results alone", now)
	}
}

// A client that delivers results has finished the job: there is nothing to retry.
func TestAFullFolderOfAClient(t *testing.T) {
	output := smallDisk(t)
	err := publish("job", 0, output, "00000/a="+strings.Repeat("n", 2<<20))
	if err == nil || strings.Contains(err.Error(), "lull retry") || !strings.Contains(err.Error(), "lull outputs job --to DIR") {
		t.Errorf("publish of more than the volume has = %v, want how to fetch the results", err)
	}
}

// A client writes as the user that runs it, so `lull run` is no remedy for it.
func TestAClientIsNotAdvisedToRunTheJobAgain(t *testing.T) {
	err := explainDenied(Plan{Output: "/results", Job: "job"}, unix.EACCES)
	if strings.Contains(err.Error(), "lull run") || !strings.Contains(err.Error(), "lull outputs job --to DIR") {
		t.Errorf("explainDenied() = %v, want how to fetch the results", err)
	}
}

// counted counts what is read.
type counted struct {
	io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

// Results without room are not begun with: others would have no room while they are written. The job
// waits where that helps, and the message says so.
func TestResultsWithoutRoomAreNotBegun(t *testing.T) {
	output := smallDisk(t)
	put(t, filepath.Join(output, "filler"), strings.Repeat("x", 700<<10))
	for _, c := range []struct {
		size  int
		waits bool
		want  string
		fits  bool // on the disk as a whole
	}{
		{600 << 10, true, "the job goes on within a minute", true},
		{600 << 10, false, "lull retry job", true},
		{2 << 20, true, "lull retry job", false}, // waiting gives it no room
	} {
		p, content := run("job", 1, filepath.Join(output, "of", "job"), "00000/a="+strings.Repeat("n", c.size))
		p.RetriesWhenFull = c.waits
		read := &counted{Reader: content}
		_, err := Publish(p, read, nil)
		if !IsFull(err) || read.n > 0 || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrTooSmall) == c.fits {
			t.Errorf("%d bytes were read for %d, and then %v, want %q", read.n, c.size, err, c.want)
		}
		early := CheckRoom(p, int64(c.size))
		if !IsFull(early) || !strings.Contains(early.Error(), " free, ") || errors.Is(early, ErrTooSmall) == c.fits {
			t.Errorf("CheckRoom(%d bytes) = %v, want full, too small: %v", c.size, early, !c.fits)
		}
	}
	if err := CheckRoom(Plan{Output: output}, 100<<10); err != nil {
		t.Errorf("CheckRoom(100 kB) = %v, want no error", err)
	}
}
