package publish

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// longestName is the most bytes that Linux's file systems take in a name (NAME_MAX).
const longestName = 255

// Possible returns an error if results can never stand in a folder of this machine, whoever writes them:
// a file or a symbolic link is in its place or in that of a folder above, or a name is too long. Rights
// are not looked at, and what the caller may not see is no obstacle. Publishing fails there each time,
// so callers look before tasks run in vain.
func Possible(output string) error {
	for _, name := range strings.Split(output, "/") {
		if len(name) > longestName {
			return fmt.Errorf("the name %.20s… has %d bytes, and a file system takes %d: choose a shorter one", name, len(name), longestName)
		}
	}
	for at := filepath.Clean(output); ; at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		switch {
		case err == nil && info.Mode()&os.ModeSymlink != 0:
			return fmt.Errorf("%s is a symbolic link, which publishing does not follow: name the folder it leads to%s", at, leadsTo(at))
		case err == nil && !info.IsDir():
			return fmt.Errorf("%s is no folder: move it away, or choose another `output:`", at)
		case at == filepath.Dir(at):
			return nil
		}
	}
}

// leadsTo is where a link leads, for a message, if the caller may see it.
func leadsTo(link string) string {
	if folder, err := filepath.EvalSymlinks(link); err == nil {
		return ", " + folder
	}
	return ""
}
