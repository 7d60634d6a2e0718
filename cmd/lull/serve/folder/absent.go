package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Absent says why a data folder leads to no lull, and what to do. Call it after Find.
func Absent(dir string) error {
	switch _, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrPermission) || closed(endpointPath(dir)) || closed(lockPath(dir)):
		return fmt.Errorf("data folder %s belongs to another user: name yours with --data, or a server with --nats", dir)
	case taken(dir):
		return fmt.Errorf("the lull that owns data folder %s is still starting, or serves no clients (lull agent): try again, look at its messages, or name a server with --nats", dir)
	}
	return fmt.Errorf("no lull runs on this machine (data folder %s): start one with `lull up`, run one job with `lull run FILE`, or name another folder with --data or a server with --nats", dir)
}

// closed reports whether a file is there that this user may not read.
func closed(path string) bool {
	f, err := os.Open(path)
	if err == nil {
		_ = f.Close() // only opened
	}
	return errors.Is(err, fs.ErrPermission)
}
