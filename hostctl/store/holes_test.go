package store

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Hashing a terabyte as it reads takes half an hour: that a commit, a check and a copy of one end shows that its
// holes are not read.
func TestHolesAreNotHashed(t *testing.T) {
	s := open(t)
	f := made(t, s, 0, 1)
	put(t, f.Out()+"/sparse", "begin")
	if err := os.Truncate(f.Out()+"/sparse", 1<<40); err != nil {
		t.Skip("needs a file system that takes a sparse file of a terabyte:", err)
	}
	var st unix.Stat_t
	if err := unix.Stat(f.Out()+"/sparse", &st); err != nil || st.Blocks > 1<<10 {
		t.Skip("needs a file system with holes", err)
	}
	if err := os.Link(f.Out()+"/sparse", f.Out()+"/again"); err != nil { // which is copied
		t.Fatal(err)
	}
	m, digest, err := f.Commit(t.Context())
	if err != nil || len(m.Files) != 2 {
		t.Fatalf("Commit() = %+v, %v, want two files", m, err)
	}
	for _, e := range m.Files {
		if e.Holes == nil || e.Size != 1<<40 || e.Stored() > 1<<20 {
			t.Errorf("the manifest has %+v, want holes", e)
		}
		if err := unix.Stat(f.Out()+"/"+e.Path, &st); err != nil || st.Size != 1<<40 || st.Blocks > 1<<10 {
			t.Errorf("%s has %d bytes in %d blocks (%v), want a terabyte in few", e.Path, st.Size, st.Blocks, err)
		}
	}
	if err := s.Verify(t.Context(), Task{Job: "job", Stage: 1}, 1, digest); err != nil {
		t.Error(err)
	}
}
