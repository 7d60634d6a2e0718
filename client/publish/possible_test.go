package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where a folder can never be made, that is known before tasks run.
func TestPossible(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": file, "folder": dir} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for output, want := range map[string]string{
		dir:                       "",
		filepath.Join(dir, "new"): "",
		filepath.Join(dir, "new", "below", "that"): "",
		file:                                                file + " is no folder",
		filepath.Join(file, "below", "that"):                file + " is no folder",
		filepath.Join(dir, "link"):                          "link is a symbolic link",
		filepath.Join(dir, "folder"):                        "folder is a symbolic link, which publishing does not follow: name the folder it leads to, " + dir,
		filepath.Join(dir, "folder", "new"):                 "folder is a symbolic link",
		"/proc/self/new":                                    "/proc/self is a symbolic link",
		filepath.Join(dir, strings.Repeat("n", 256)):        "has 256 bytes",
		filepath.Join(dir, "new", strings.Repeat("n", 256)): "has 256 bytes",
		filepath.Join(dir, "new", strings.Repeat("n", 255)): "",
	} {
		err := Possible(output)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Possible(%.60s) = %v, want %q", output, err, want)
		}
	}
}
