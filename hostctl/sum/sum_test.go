package sum

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lull/subjects/manifest"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "sum" {
		os.Exit(Main(os.Args[2:]))
	}
	os.Exit(m.Run())
}

func started(t *testing.T, ctx context.Context) *Process {
	t.Helper()
	p, err := Start(ctx, Config{Command: []string{"/proc/self/exe", "sum"}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFilesAreHashed(t *testing.T) {
	p := started(t, t.Context())
	dir := t.TempDir()
	for name, text := range map[string][]byte{
		"empty": nil, "a name with spaces": []byte("text"), "large": bytes.Repeat([]byte("lull"), 1<<20),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		want := sha256.Sum256(text)
		size, sum, err := p.Sum(file(t, path), nil, ignore)
		if err != nil || size != int64(len(text)) || !bytes.Equal(sum, want[:]) {
			t.Errorf("Sum(%s) = %d, %x, %v, want %d, %x", name, size, sum, err, len(text), want)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// file opens a file until the test ends.
func file(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestAFileThatCannotBeReadIsAnError(t *testing.T) {
	p := started(t, t.Context())
	defer p.Close() //nolint:errcheck // it is not what is tested
	if _, _, err := p.Sum(file(t, t.TempDir()), nil, ignore); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("Sum(a folder) = %v, want an error that says so", err)
	}
}

// Sum hashes the file that was opened, also if another file has its path.
func TestAFileThatWasReplacedIsHashedAsItWasOpened(t *testing.T) {
	p := started(t, t.Context())
	defer p.Close() //nolint:errcheck // it is not what is tested
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := file(t, path)
	if err := errors.Join(os.Remove(path), os.Symlink("/etc/passwd", path)); err != nil {
		t.Fatal(err)
	}
	want := sha256.Sum256([]byte("text"))
	if size, sum, err := p.Sum(f, nil, ignore); err != nil || size != 4 || !bytes.Equal(sum, want[:]) {
		t.Errorf("Sum() = %d, %x, %v, want 4, %x", size, sum, err, want)
	}
}

func TestExtentsAreHashedOneAfterTheOther(t *testing.T) {
	p := started(t, t.Context())
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("one, two, three"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		data []manifest.Extent
		want string
	}{
		{[]manifest.Extent{{Offset: 0, Length: 3}, {Offset: 10, Length: 5}}, "onethree"},
		{[]manifest.Extent{{Offset: 5, Length: 3}}, "two"}, {[]manifest.Extent{}, ""}, {nil, "one, two, three"},
	} {
		want := sha256.Sum256([]byte(c.want))
		if size, sum, err := p.Sum(file(t, path), c.data, ignore); err != nil || size != int64(len(c.want)) || !bytes.Equal(sum, want[:]) {
			t.Errorf("Sum(%v) = %d, %x, %v, want that of %q", c.data, size, sum, err, c.want)
		}
	}
	if _, _, err := p.Sum(file(t, path), []manifest.Extent{{Offset: 10, Length: 6}}, ignore); err == nil {
		t.Error("Sum(more than the file has) = nil error, want an error")
	}
}

// hollow is a file that takes long to hash: it is as large as it says.
func hollow(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "holes")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHashingEndsWhenItIsNotWanted(t *testing.T) {
	path := hollow(t)
	unwanted := errors.New("not wanted any more")
	ctx, stop := context.WithCancelCause(t.Context())
	p := started(t, ctx)
	go stop(unwanted)
	if _, _, err := p.Sum(file(t, path), nil, ignore); !errors.Is(err, unwanted) {
		t.Errorf("Sum() of a process that is stopped = %v, want %v", err, unwanted)
	}
	if err := p.Close(); err == nil {
		t.Error("Close() = nil, want an error that it was killed")
	}
}

// An agent that is killed closes its end, and nothing else.
func TestAHasherEndsWithItsAgent(t *testing.T) {
	path := hollow(t)
	p := started(t, t.Context())
	if _, err := p.paths.Write([]byte(path + "\n")); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestAnAnswerThatIsNoneIsAnError(t *testing.T) {
	for _, line := range []string{"", "\n", "12\n", "12 abcd\n", "-1 " + strings.Repeat("00", 32) + "\n", "x " + strings.Repeat("00", 32) + "\n"} {
		if _, _, err := parse(line); err == nil {
			t.Errorf("parse(%q) = nil error, want an error", line)
		}
	}
}

func ignore(int64) {}
