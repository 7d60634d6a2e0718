package service

import (
	"fmt"
	"os"
	"path/filepath"

	"lull/actors/account"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve/folder"
	"lull/hostctl/contain"
)

// CheckTaskUser returns an error if root's agent would run tasks as root, although no flag says so, because
// their usual user cannot reach the data folder. The folder may not exist yet.
func (h HostConfig) CheckTaskUser(data string) error {
	mode, err := contain.ParseMode(h.Contain)
	if err != nil || mode != contain.Full || h.TaskUser != "" || os.Geteuid() != 0 {
		return err
	}
	at, err := nearest(data)
	if err != nil {
		return err
	}
	if err := account.Nobody.CheckEnter(at); err != nil {
		return exit.With(exit.Error, fmt.Errorf(
			"tasks cannot run as nobody in the data folder %s (%w): choose another folder with --data, such as /var/lib/lull, or allow others to pass (chmod o+x, on the folders above too), or run tasks as root with --task-user root",
			data, err))
	}
	return nil
}

// CheckSecrets returns an error if tasks would run as the agent's user and the kernel could not keep them from
// the data folder and the keys: what they read there gives them all rights of the pool, or of the host. The folder
// may not exist yet.
func (h HostConfig) CheckSecrets(data string) error {
	at, err := nearest(data)
	if err != nil {
		return err
	}
	p, err := contain.Choose(h.Contain, h.TaskUser, h.TaskWrite, at)
	if err != nil || p.Mode != contain.Full || p.ABI == 0 && os.Geteuid() == 0 {
		return err // root's tasks run as root only by a flag
	}
	p.Hide = contain.Resolve(h.hide(data))
	why := p.Exposed()
	if why == "" {
		return nil
	}
	remedy := "name folders for --task-write that hold neither the data folder nor a key"
	if p.ABI == 0 {
		remedy = "start lull as root, so that tasks have another user"
	}
	return exit.With(exit.Error, fmt.Errorf(
		"tasks would run as this user and could read the data folder %s and the keys of the pool, because %s: %s, or allow it with --contain basic, if all jobs are trusted",
		data, why, remedy))
}

// hide returns the folders and files that no task may read if it runs as the agent's user.
func (h HostConfig) hide(data string) []string {
	return append([]string{data, folder.Default(), h.Web.Key}, h.Secrets...)
}

// nearest returns the nearest folder above that exists.
func nearest(data string) (string, error) {
	at, err := filepath.Abs(data)
	for ; err == nil && at != "/" && missing(at); at = filepath.Dir(at) {
	}
	return at, err
}

func missing(path string) bool {
	_, err := os.Stat(path)
	return os.IsNotExist(err)
}
