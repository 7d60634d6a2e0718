package client

import (
	"os"
	"strings"
	"testing"
	"time"

	"lull/actors/account"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// pool is the ledger of a pool with these hosts and the users that run their tasks.
func pool(users map[string]string) *ledger.State {
	s := ledger.New()
	for name, user := range users {
		s.Apply(s.Seq+1, time.Unix(1, 0), &subjects.Joined{Host: name, Instance: "i", Cores: 1, Slots: 1, TaskUser: user})
	}
	return s
}

// An output folder that this machine's tasks may not write to is refused before a task runs, unless
// another host may publish or the tasks' user is unknown.
func TestAnOutputThatTasksCannotWriteTo(t *testing.T) {
	here, dir := subjects.Token(hostname()), t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	named := func(machine, user string) *ledger.State {
		s := ledger.New()
		s.Apply(1, time.Unix(1, 0), &subjects.Joined{Host: here + "x", Instance: "i", Cores: 1, Slots: 1, TaskUser: user, Machine: machine})
		return s
	}
	for name, c := range map[string]struct {
		state *ledger.State
		ok    bool
	}{
		"a host with a name of its own":  {named(hostname(), "64321:64321"), false},
		"our own, with another name":     {named(hostname(), account.User{}.Number()), true},
		"a host of another machine":      {named("elsewhere", "64321:64321"), true},
		"a host that does not say where": {named("", "64321:64321"), true},
	} {
		if _, _, ok := Publisher(c.state, &spec.Doc{Output: dir + "/out", Origin: hostname()}); ok != c.ok {
			t.Errorf("Publisher(%s) = %v, want %v", name, ok, c.ok)
		}
	}
	own := account.User{}.Number()
	for name, c := range map[string]struct {
		users  map[string]string
		origin string
		ok     bool
	}{
		"another user's":     {map[string]string{here: "64321:64321"}, hostname(), false},
		"our own":            {map[string]string{here: own}, hostname(), true},
		"root's":             {map[string]string{here: "0:0"}, hostname(), true},
		"an older agent":     {map[string]string{here: ""}, hostname(), true},
		"another machine":    {map[string]string{here: "64321:64321"}, "elsewhere", true},
		"one of two hosts":   {map[string]string{here: "64321:64321", "b": "0:0"}, hostname(), true},
		"a host from abroad": {map[string]string{"b": "64321:64321"}, hostname(), true},
	} {
		user, folder, ok := Publisher(pool(c.users), &spec.Doc{Output: dir + "/out", Origin: c.origin})
		if ok != c.ok || !ok && (folder != dir && !strings.HasPrefix(dir, folder) || !strings.Contains(user, "64321")) {
			t.Errorf("%s: Publisher = %q, %q, %v, want %v and the folder that the user may not write to", name, user, folder, ok, c.ok)
		}
	}
}
