package environ

import (
	"fmt"
	"path/filepath"
)

// CheckPath returns an error unless path is fit as the PATH of tasks: each entry must be an
// absolute folder, because tasks run in folders of their own.
func CheckPath(path string) error {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("%q is not an absolute path: write folders such as /usr/local/bin:/usr/bin:/bin", dir)
		}
	}
	return nil
}
