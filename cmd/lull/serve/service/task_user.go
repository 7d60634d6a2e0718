package service

import (
	"fmt"
	"os"
	"path/filepath"

	"lull/actors/account"
	"lull/cmd/lull/exit"
	"lull/hostctl/contain"
)

// CheckTaskUser returns an error if root's agent would run tasks as root, although no flag says so, because
// their usual user cannot reach the data folder. The folder may not exist yet.
func (h HostConfig) CheckTaskUser(data string) error {
	mode, err := contain.ParseMode(h.Contain)
	if err != nil || mode != contain.Full || h.TaskUser != "" || os.Geteuid() != 0 {
		return err
	}
	at, err := filepath.Abs(data)
	if err != nil {
		return err
	}
	for ; at != "/" && missing(at); at = filepath.Dir(at) {
	}
	if err := account.Nobody.CheckEnter(at); err != nil {
		return exit.With(exit.Error, fmt.Errorf(
			"tasks cannot run as nobody in the data folder %s (%w): choose another folder with --data, such as /var/lib/lull, or allow others to pass (chmod o+x, on the folders above too), or run tasks as root with --task-user root",
			data, err))
	}
	return nil
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return os.IsNotExist(err)
}
