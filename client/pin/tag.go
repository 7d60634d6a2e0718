package pin

import (
	"syscall"

	"lull/subjects/spec"
)

// maxTagged bounds the files of a stage that get a tag: each is opened and read.
const maxTagged = 4096

// tag gives files that this user can read the tags by which hosts know that they only grew, and looks whether their
// last lines are ended.
func (in *Inputs) tag() {
	for i := range in.Files {
		if f := &in.Files[i]; !spec.IsURL(f.Path) && f.Size > 0 {
			f.Tag, f.Unended = look(f)
		}
	}
}

// look returns no tag for a file that cannot be read, or is not what was pinned any more. Hosts take any change
// of such a file for another one.
func look(f *spec.File) (tag string, unended bool) {
	file, err := OpenRegular(f.Path)
	if err != nil {
		return "", true
	}
	defer func() { _ = file.Close() }() // it is only read
	info, err := file.Stat()
	if err != nil || info.Size() < f.Size {
		return "", true
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		tag, _ = spec.FileTag(file, st.Ino, f.Size)
	}
	var last [1]byte
	n, _ := file.ReadAt(last[:], f.Size-1)
	return tag, n == 0 || last[0] != '\n'
}
