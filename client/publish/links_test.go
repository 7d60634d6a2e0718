package publish

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"lull/subjects/manifest"
)

func TestLinksAndEmptyFoldersArePublished(t *testing.T) {
	output := t.TempDir()
	for attempt := range uint64(2) { // the second takes the place of the first
		p, content := run("job", attempt+1, output, "00000/v1/a=1")
		p.Stages[0].Files = append(p.Stages[0].Files, File{Path: "00000/empty/below", Folder: true},
			File{Path: "00000/latest", Link: "v1"}, File{Path: "00000/v1/up", Link: "../nothing"})
		if _, err := Publish(p, content, nil); err != nil {
			t.Fatal(err)
		}
	}
	at := filepath.Join(output, "count", "00000")
	for name, want := range map[string]string{"latest": "v1", "v1/up": "../nothing"} {
		if target, err := os.Readlink(filepath.Join(at, name)); err != nil || target != want {
			t.Errorf("%s leads to %q (%v), want %q", name, target, err, want)
		}
	}
	if info, err := os.Stat(at + "/empty/below"); err != nil || !info.IsDir() {
		t.Errorf("the empty folder is %v (%v)", info, err)
	}
	if text, err := os.ReadFile(at + "/latest/a"); err != nil || string(text) != "1" {
		t.Errorf("latest/a has %q (%v), want 1", text, err)
	}
}

func TestNothingIsWrittenThroughALinkOfThePlan(t *testing.T) {
	output, outside := t.TempDir(), t.TempDir()
	p, content := run("job", 1, output, "00000/d/x=1", "00000/l/x=1")
	p.Stages[0].Files[0] = File{Path: "00000/l", Link: "d"}
	if _, err := Publish(p, content, nil); err == nil || !strings.Contains(err.Error(), "00000/l: ") {
		t.Errorf("Publish() = %v, want an error of what is in the way", err)
	}
	for _, target := range []string{outside, "../../../" + filepath.Base(outside)} {
		p.Stages[0].Files = []File{{Path: "00000/l", Link: target}}
		b, err := p.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPlan(strings.NewReader(string(b))); err == nil {
			t.Errorf("ReadPlan(a link to %s) = nil error, want an error", target)
		}
	}
}

func TestHolesArePublishedAsHoles(t *testing.T) {
	const size = 1 << 30
	output, sum := t.TempDir(), sha256.Sum256([]byte("begin"))
	p, _ := run("job", 1, output)
	p.Stages[0].Files = []File{{Path: "00000/f", Size: size, Mode: 0o444, Holes: &manifest.Holes{Data: []manifest.Extent{{Offset: 0, Length: 5}}, Sum: sum[:]}}}
	content := &zeros{begin: "begin"}
	if _, err := Publish(p, content, nil); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Stat(output+"/count/00000/f", &st); err != nil || st.Size != size || st.Blocks > 1<<10 || content.read != size {
		t.Errorf("the file has %d bytes in %d blocks (%v), want %d in few", st.Size, st.Blocks, err, size)
	}
	p.Stages[0].Files[0].Dense = true
	dense := strings.NewReader("begin, and the next file")
	if _, err := Publish(p, dense, nil); err != nil || dense.Len() != len(", and the next file") {
		t.Errorf("Publish(without holes) = %v, and leaves %d bytes, want only the first five read", err, dense.Len())
	}
	p.Stages[0].Files[0].Dense = false
	if _, err := Publish(p, &zeros{begin: "wrong"}, nil); err == nil || !strings.Contains(err.Error(), ErrDamaged.Error()) {
		t.Errorf("Publish(other bytes) = %v, want ErrDamaged", err)
	}
}

// zeros reads as a text and zeros behind it.
type zeros struct {
	begin string
	read  int64
}

func (z *zeros) Read(b []byte) (int, error) {
	clear(b)
	if z.read < int64(len(z.begin)) {
		copy(b, z.begin[z.read:])
	}
	z.read += int64(len(b))
	return len(b), nil
}
