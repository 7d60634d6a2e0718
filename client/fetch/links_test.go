package fetch

import (
	"crypto/sha256"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"lull/subjects/manifest"
)

func TestLinksAndFoldersNeedNoHost(t *testing.T) {
	from, asked := serve(t, status(http.StatusInternalServerError))
	dir := t.TempDir()
	var c Client
	for range 2 { // the second finds what the first made
		for _, f := range []manifest.File{{Path: "a", Link: "b/c"}, {Path: "e/f", Folder: true}} {
			if err := c.File(t.Context(), from, 7, f, filepath.Join(dir, f.Path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if target, err := os.Readlink(dir + "/a"); err != nil || target != "b/c" {
		t.Errorf("the link leads to %q (%v), want b/c", target, err)
	}
	if info, err := os.Stat(dir + "/e/f"); err != nil || !info.IsDir() || asked.Load() != 0 {
		t.Errorf("the folder is %v (%v), after %d requests; want a folder and none", info, err, asked.Load())
	}
}

// Of a file with holes the rest alone is fetched, also in a second try.
func TestHolesAreNotFetched(t *testing.T) {
	const size = 1 << 30
	sum := sha256.Sum256([]byte(content))
	f := manifest.File{Path: "a/b", Size: size, Mode: 0o444, Holes: &manifest.Holes{
		Data: []manifest.Extent{{Offset: 100, Length: 10}, {Offset: size - 33, Length: 33}}, Sum: sum[:],
	}}
	data := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() != "/v1/attempts/7/files/a/b?data=1" {
			http.Error(w, "wrong request", http.StatusBadRequest)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
	}
	from, _ := serve(t, broken, data)
	path := filepath.Join(t.TempDir(), "b")
	var c Client
	if err := c.File(t.Context(), from, 7, f, path); err != nil {
		t.Fatal(err)
	}
	got, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close() //nolint:errcheck // read only
	begin, end := make([]byte, 110), make([]byte, 33)
	if _, err := got.ReadAt(begin, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := got.ReadAt(end, size-33); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(got.Fd()), &st); err != nil || st.Size != size || st.Blocks > 1<<10 {
		t.Errorf("the file has %d bytes in %d blocks (%v), want %d in few", st.Size, st.Blocks, err, size)
	}
	if text := strings.TrimLeft(string(begin), "\x00") + string(end); text != content {
		t.Errorf("fetched %q, want %q", text, content)
	}
}
