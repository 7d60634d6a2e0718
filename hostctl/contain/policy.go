package contain

import (
	"fmt"
	"os"
	"path/filepath"

	"lull/actors/account"
)

// Policy is how a host contains its tasks.
type Policy struct {
	Mode Mode
	// User is the user that tasks run as; the zero User is the agent's.
	User account.User
	// Base, if not 0, gives each slot's tasks a user of their own: those of slot n have uid Base+n, and
	// the same gid or that of User.
	Base  uint32
	group uint32 // the gid of all slots' users; 0 for one each
	named bool   // a flag names User
	// Shared says why the tasks of all slots have one user, "" if they do not or a flag says so.
	Shared string
	// Why says why tasks keep the agent's user, "" if they do not.
	Why string
	// Write are folders and files that all tasks may write to, beside their own.
	Write []string
	// Hide are folders and files that no task may read, except its own: the agent's, keys and tokens. They
	// are absolute and have no links: see Resolve.
	Hide []string
	// ABI is the version of Landlock in the kernel, 0 for none.
	ABI int
}

// Choose returns what this host can enforce for tasks with folders below data, which exists. user
// names the tasks' user if the agent is root. "" means Nobody, or the agent's user where Nobody
// cannot enter the data folder. A named user that cannot enter it is an error.
func Choose(mode, user string, write []string, data string) (p Policy, err error) {
	p.ABI = ABI()
	if p.Mode, err = ParseMode(mode); err != nil {
		return p, err
	}
	if p.Write, err = paths(write); err != nil {
		return p, err
	}
	p.named = user != ""
	err = p.choose(user, data)
	return p, err
}

func (p *Policy) choose(user, data string) (err error) {
	switch {
	case p.Mode != Full:
		p.Why = "contain=" + string(p.Mode)
		return nil
	case os.Geteuid() != 0 && user != "":
		return fmt.Errorf("task user %s: only an agent that is root can run tasks as another user", user)
	case os.Geteuid() != 0:
		p.Why = "the agent is not root"
		return nil
	case user == "":
		p.preferNobody(data)
		return nil
	}
	if p.User, err = account.FindUser(user); err != nil {
		return err
	}
	if p.User.IsAgent() {
		p.Why = "the task user is root"
	}
	if err := p.User.CheckEnter(data); err != nil {
		return fmt.Errorf("%w: %s", err, remedy)
	}
	return nil
}

const remedy = "give the agent a data folder such as /var/lib/lull, let others enter it (chmod o+x, on the folders above too), or name another task user"

func (p *Policy) preferNobody(data string) {
	if err := account.Nobody.CheckEnter(data); err != nil {
		p.Why = err.Error() + ": " + remedy
		return
	}
	p.User = account.Nobody
}

// paths follows links, because the fence does not.
func paths(write []string) ([]string, error) {
	var resolved []string
	for _, path := range write {
		if !filepath.IsAbs(path) {
			return nil, fmt.Errorf("task write %q: use an absolute path", path)
		}
		at, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, fmt.Errorf("task write: %w", err)
		}
		resolved = append(resolved, at)
	}
	return resolved, nil
}
