package integrity

import (
	"path/filepath"
	"testing"
)

// Forge makes a stream's folder whose meta data match their checksum.
func Forge(t *testing.T, dir, meta string) {
	t.Helper()
	if err := writeMeta(&stream{name: filepath.Base(dir), dir: dir}, []byte(meta)); err != nil {
		t.Fatal(err)
	}
}
