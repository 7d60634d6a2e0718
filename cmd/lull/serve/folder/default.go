package folder

import (
	"os"
	"path/filepath"
)

// system is the data folder of root and of services that have no home.
const system = "/var/lib/lull"

// Default returns the data folder of users that name none: $LULL_DATA, else $XDG_DATA_HOME/lull,
// else ~/.local/share/lull. Root's is /var/lib/lull: tasks of an agent that is root run as another
// user, which cannot enter root's home.
func Default() string { return defaultFor(os.Getenv, os.Geteuid()) }

func defaultFor(env func(string) string, uid int) string {
	if dir := env("LULL_DATA"); dir != "" {
		return dir
	}
	// The specification says that a relative XDG_DATA_HOME is to be ignored.
	if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lull")
	}
	if home := env("HOME"); home != "" && uid != 0 {
		return filepath.Join(home, ".local", "share", "lull")
	}
	return system
}
