package store

import "testing"

func TestADiskWithoutInodesIsFull(t *testing.T) {
	for name, c := range map[string]struct {
		files, free uint64
		per         int64
	}{
		"plenty":                    {1000, 900, 0},
		"scarcer than bytes":        {1000, 100, 4096},
		"none left":                 {1000, 0, 4096},
		"more inodes than bytes":    {1 << 40, 0, 1},
		"made as they are needed":   {0, 0, 0},
		"a number that is no count": {1000, 1 << 63, 0},
	} {
		st := &statfs{Bsize: 4096, Blocks: 1000, Bavail: 500, Files: c.files, Ffree: c.free}
		if got := st.perFile(); got != c.per {
			t.Errorf("%s: a file counts as %d bytes, want %d", name, got, c.per)
		}
	}
}
