package shim

import (
	"fmt"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

const socketName = "shim.sock"

func socketPath(dir string) string { return filepath.Join(dir, socketName) }

// mostAddress is how many bytes of path a socket's address holds.
const mostAddress = 107

// withSocketPath calls use with the path of a folder's socket, short enough for a socket address. If the path
// is too long, the socket is reached through a descriptor of the folder, open for that time.
func withSocketPath(dir string, use func(path string) error) error {
	path := socketPath(dir)
	if len(path) <= mostAddress {
		return use(path)
	}
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", dir, err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing was written
	return use("/proc/self/fd/" + strconv.Itoa(fd) + "/" + socketName)
}
