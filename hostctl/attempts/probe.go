package attempts

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"golang.org/x/sys/unix"

	"lull/actors/account"
	"lull/client/publish"
)

// probeOutput returns an error if this host may have to publish the job's results and could not. It
// returns nil where a look cannot tell; publishing itself then fails.
func (x *execution) probeOutput() error {
	output := x.doc.Spec.Output
	if !x.Probe || output == "" {
		return nil
	}
	if err := outputHidden(x); err != nil {
		return err
	}
	user, err := account.ParseNumber(x.cfg.Policy.User.Number())
	if err != nil {
		return nil //nolint:nilerr // a user that is none publishes nothing, which its attempt reports
	}
	// As that user: the agent's own rights would tell a submitter what stands in folders that are closed to the user.
	var impossible error
	var obstacle string
	var ok bool
	if err := x.cfg.Policy.User.Run(func() error {
		impossible = publish.Possible(output)
		obstacle, ok = user.CanWrite(output)
		return nil
	}); err != nil {
		return nil //nolint:nilerr // where tasks cannot run as the user, their start reports it
	}
	if impossible != nil {
		return fmt.Errorf("results cannot be put into %s: %w", output, impossible)
	}
	why := "permission denied"
	if ok {
		if obstacle, ok = writable(output); ok {
			return nil
		}
		why = "it is on a file system that is read-only here"
	}
	return fmt.Errorf("%s, the user that publishes on this host, may not write to %s, because of %s (%s): let that user write there, "+
		"or leave `output:` out and fetch the results with `lull outputs %s --to DIR`, or use `lull run`, which writes as you",
		user.Name(), output, obstacle, why, x.Job)
}

// outputHidden returns an error if the job's results would go into the agent's own folder, where they could replace
// what the agent relies on.
func outputHidden(x *execution) error {
	if at := x.cfg.Policy.Hides(x.doc.Spec.Output); at != "" {
		return fmt.Errorf("results cannot be put into %s, because %s is lull's own: choose another `output:`", x.doc.Spec.Output, at)
	}
	return nil
}

// writable reports whether the file system of a folder, or of the one below which it would be made,
// takes writes. It returns the folder that exists.
func writable(folder string) (existing string, ok bool) {
	folder = filepath.Clean(folder)
	for {
		err := account.CheckAccess(folder, unix.W_OK)
		above := filepath.Dir(folder)
		if !errors.Is(err, fs.ErrNotExist) || above == folder {
			return folder, !errors.Is(err, unix.EROFS)
		}
		folder = above
	}
}
