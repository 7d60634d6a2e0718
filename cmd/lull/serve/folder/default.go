package folder

import (
	"os"
	"path/filepath"
)

// Default is the data folder of users who name none: $LULL_DATA, else
// $XDG_DATA_HOME/lull, else ~/.local/share/lull, and /var/lib/lull for a
// service that has no home.
func Default() string { return defaultFor(os.Getenv) }

func defaultFor(env func(string) string) string {
	if dir := env("LULL_DATA"); dir != "" {
		return dir
	}
	// The specification says that a relative XDG_DATA_HOME is to be ignored.
	if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lull")
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "lull")
	}
	return "/var/lib/lull"
}
