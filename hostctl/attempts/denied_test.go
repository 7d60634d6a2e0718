package attempts

import (
	"strings"
	"testing"

	"lull/actors/account"
	"lull/hostctl/contain"
)

func TestTheRefusedPath(t *testing.T) {
	for tail, want := range map[string]string{
		"sh: 1: cannot create /tmp/x: Permission denied":                                "/tmp/x",
		"/usr/bin/tool: line 3: /tmp/a b/x: Permission denied":                          "/tmp/a",
		"PermissionError: [Errno 13] Permission denied: '/dev/shm/sem.x'":               "/dev/shm/sem.x",
		"mkdir: cannot create directory ‘/srv/out’: Permission denied":                  "/srv/out",
		"mkdir: cannot create directory '/srv/out': Read-only file system\nbye\n":       "/srv/out",
		"open /srv/x: permission denied":                                                "/srv/x",
		"Error: EACCES: permission denied, open '/tmp/../tmp/x'":                        "/tmp/x",
		"sl = _multiprocessing.SemLock(\nPermissionError: [Errno 13] Permission denied": "/dev/shm/semaphore",
		"cannot open x: Permission denied":                                              "",
		"/tmp/x: No such file or directory":                                             "",
		"see http://host/path: Permission denied":                                       "",
		"/tmp/\x1b[31m: Permission denied":                                              "",
		"/" + strings.Repeat("x", 300) + ": Permission denied":                          "",
		"": "",
	} {
		if got := refusedPath(tail); got != want {
			t.Errorf("refusedPath(%q) = %q, want %q", tail, got, want)
		}
	}
}

func TestWhatTheFenceRefusedIsNamed(t *testing.T) {
	dir, agent := t.TempDir(), account.User{}
	fenced := contain.Policy{Mode: contain.Full, ABI: 4, Hide: []string{dir + "/data"}}
	own := []string{dir + "/data/own"}
	denied := func(path string) string { return "x: " + path + ": Permission denied\n" }
	for _, c := range []struct {
		tail   string
		policy contain.Policy
		user   account.User
		want   string // "" for none
	}{
		{denied("/tmp/x"), fenced, agent, "tasks may not write to /tmp: TMPDIR names"},
		{denied("/dev/shm/x"), fenced, agent, "tasks may not write to /dev/shm: write to the folder that LULL_OUT"},
		{denied(dir + "/data/keys"), fenced, agent, "tasks may neither read nor write lull's own files in " + dir + "/data"},
		{denied(dir + "/data/own/x"), fenced, agent, ""},
		{denied("/tmp/x"), contain.Policy{Mode: contain.Basic, ABI: 4}, agent, ""},
		{denied("/tmp/x"), contain.Policy{Mode: contain.Full}, agent, ""},
		{denied("/etc/x"), fenced, account.User{UID: 2109371649, GID: 65534}, ""}, // its user may not, fence or none
		{"nothing of it\n", fenced, agent, ""},
	} {
		got := fencedOff(c.tail, c.policy, own, c.user)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("fencedOff(%q, %s) = %q, want %q", c.tail, c.policy.Mode, got, c.want)
		}
	}
}
