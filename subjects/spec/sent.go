package spec

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Sent are files that travel with a job. Content names them by what is in them: it is the name of
// a summed list with one chunk, a Bundle. So what keeps, reads and drops lists keeps files too.
type Sent struct {
	Content string   `msgpack:"content" json:"content"`
	Names   []string `msgpack:"names" json:"names"` // paths in the tasks' folders, for people
}

const (
	// MaxSent bounds the bytes of the files that are sent with a job.
	MaxSent = 10_000_000
	// MaxBundle bounds the bytes of an encoded Bundle.
	MaxBundle = MaxSent + MaxEntries*(2*maxEntryPath+128)
	// MaxEntries bounds the files, folders and links of a Bundle.
	MaxEntries = 2000
	// maxEntryPath bounds a path within a Bundle, and a name of Sent.
	maxEntryPath = 512
	// maxEntryName is NAME_MAX.
	maxEntryName = 255
	// MaxNames bounds the names of Sent, and maxBundles the bundles of a stage: the job's and its own.
	MaxNames   = 64
	maxBundles = 2
	maxMode    = 0o777
)

// Bundle holds the files of Sent, by path. What stands in a folder follows it.
type Bundle struct {
	Entries []Entry `msgpack:"entries"`
}

// Entry is a file, a folder or a link of a Bundle. Its path is relative to the folder of the task.
type Entry struct {
	Path   string `msgpack:"path"`
	Folder bool   `msgpack:"folder,omitempty"`
	Link   string `msgpack:"link,omitempty"` // target of a symbolic link, relative to its folder
	Mode   uint32 `msgpack:"mode,omitempty"` // of a file: permission bits
	Body   []byte `msgpack:"body,omitempty"`
}

// Bytes is the size of all files.
func (b *Bundle) Bytes() (n int64) {
	for i := range b.Entries {
		n += int64(len(b.Entries[i].Body))
	}
	return n
}

// Clash returns a path that both bundles have and that is not a folder of both, "" if there is none.
func (b *Bundle) Clash(with *Bundle) string {
	known := map[string]bool{}
	for i := range b.Entries {
		known[b.Entries[i].Path] = b.Entries[i].Folder
	}
	for i := range with.Entries {
		e := &with.Entries[i]
		if folder, ok := known[e.Path]; ok && (!folder || !e.Folder) {
			return e.Path
		}
	}
	return ""
}

// Validate says whether a bundle from anywhere stays within a task's folder. Errors are of type
// *Error, with the path of the entry as text.
func (b *Bundle) Validate() error {
	if len(b.Entries) > MaxEntries {
		return faultf("files", "there are %d files and folders, at most %d can be sent: pack them into an archive, or put them where the hosts can read them", len(b.Entries), MaxEntries)
	}
	if n := b.Bytes(); n > MaxSent {
		return faultf("files", "they have %d bytes, at most %d can be sent: put large files where the hosts can read them", n, int64(MaxSent))
	}
	folders := map[string]bool{".": true}
	last := ""
	for i := range b.Entries {
		e := &b.Entries[i]
		if err := e.validate(); err != nil {
			return err
		}
		switch {
		case e.Path <= last:
			return faultf("files", "%q is sent twice: give each file a place of its own with to:", e.Path)
		case !folders[path.Dir(e.Path)]:
			return faultf("files", "%q lies in no folder that is sent", e.Path)
		}
		last = e.Path
		if e.Folder {
			folders[e.Path] = true
		}
	}
	return nil
}

func (e *Entry) validate() error {
	switch why := badEntryPath(e.Path); {
	case why != "":
		return faultf("files", "%.80q cannot be the path of a file in a task's folder: %s", e.Path, why)
	case e.Folder && (e.Link != "" || len(e.Body) > 0 || e.Mode != 0) || e.Link != "" && (len(e.Body) > 0 || e.Mode != 0):
		return faultf("files", "%q is a file, a folder and a link at once", e.Path)
	case e.Mode > maxMode:
		return faultf("files", "%q has the mode %o: give at most %o", e.Path, e.Mode, maxMode)
	case e.Link != "" && !insideLink(e.Path, e.Link):
		return faultf("files", "the link %q leads to %.80q, out of what is sent: send a copy of the file instead", e.Path, e.Link)
	}
	return nil
}

// badEntryPath says why a path cannot stand in a bundle, "" if it can.
func badEntryPath(p string) string {
	switch {
	case p == "" || p == ".":
		return "it is the folder itself"
	case path.IsAbs(p):
		return "it is absolute"
	case strings.IndexByte(p, 0) >= 0:
		return "it has a NUL"
	case p == ".." || strings.HasPrefix(p, "../") || path.Clean(p) != p:
		return "it leads out of the folder, or by a detour"
	case len(p) > maxEntryPath || slices.ContainsFunc(strings.Split(p, "/"), func(s string) bool { return len(s) > maxEntryName }):
		return "it is too long"
	case !utf8.ValidString(p):
		return "it is not UTF-8"
	}
	return ""
}

// insideLink reports whether a link's target lies within the bundle. ".." may stand only at its
// beginning: behind the name of another link it would lead elsewhere than it seems to.
func insideLink(at, target string) bool {
	if path.IsAbs(target) || path.Clean(target) != target || len(target) > maxEntryPath || strings.IndexByte(target, 0) >= 0 {
		return false
	}
	joined := path.Join(path.Dir(at), target)
	return joined != ".." && !strings.HasPrefix(joined, "../")
}

// Sends reports whether files travel with the job. Hosts of before Format 5 pass over them.
func (j *Job) Sends() bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return len(s.Sent) > 0 })
}

// TakesStdin reports whether a task of the job reads the standard input of a `lull run`. Hosts of before
// Format 6 pass over it.
func TakesStdin(j *Job) bool {
	return slices.ContainsFunc(j.Stages, func(s Stage) bool { return s.Stdin != "" })
}

// checkSent checks the names of what is sent.
func (s *Stage) checkSent(at string) error {
	if len(s.Sent) > maxBundles || s.Publish && len(s.Sent) > 0 {
		return faultf(at+".sent", "there are %d bundles of files, at most %d are allowed", len(s.Sent), maxBundles)
	}
	for k, sent := range s.Sent {
		if _, ok := ParseListName(sent.Content); !ok {
			return faultf(index(at+".sent", k)+".content", "%.80q is not the name of files: lull submit writes it", sent.Content)
		}
		if len(sent.Names) > MaxNames {
			return faultf(index(at+".sent", k)+".names", "there are %d names, at most %d are allowed: name a folder instead of its files", len(sent.Names), MaxNames)
		}
		for _, name := range sent.Names {
			if len(name) > maxEntryPath || strings.ContainsFunc(name, control) {
				return faultf(index(at+".sent", k)+".names", "%.80q cannot be the name of a file", name)
			}
		}
	}
	return nil
}
