package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/actors/jetstream/embedded/embeddedtest"
	"lull/client"
	"lull/subjects"
)

// keyed starts a server for a fleet in which each process has a key of its own.
func keyed(t *testing.T, f *fleet, keys ...jetstream.Key) {
	t.Helper()
	accounts, err := jetstream.Accounts(subjects.DefaultPool, keys)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Fields(accounts) {
		if name, ok := strings.CutPrefix(line, "$LULL_"); ok {
			t.Setenv("LULL_"+strings.Trim(name, "},"), "secret")
		}
	}
	path := filepath.Join(f.dir, "nats.conf")
	write(t, path, "listen: \"127.0.0.1:-1\"\njetstream { store_dir: \""+f.dir+"/nats\" }\n"+accounts)
	f.url = embeddedtest.PlainFile(t, path).ClientURL()
}

// key is a file with a user's key.
func (f *fleet) key(user string) string {
	f.t.Helper()
	path := filepath.Join(f.dir, user+".key")
	if err := os.WriteFile(path, []byte(user+":secret"), 0o600); err != nil {
		f.t.Fatal(err)
	}
	return path
}

// TestAPoolWorksWithAKeyForEachRole runs a job with a second stage that reads what another host
// made, and made again after it had vanished. Its list of tasks is too long for the document.
func TestAPoolWorksWithAKeyForEachRole(t *testing.T) {
	f := emptyFleet(t)
	a, b := f.host("a"), f.host("b")
	keyed(t, f, jetstream.Key{Role: subjects.RoleAdmission}, jetstream.Key{Role: subjects.RoleSlotter},
		jetstream.Key{Role: subjects.RoleHost, Name: a}, jetstream.Key{Role: subjects.RoleHost, Name: b},
		jetstream.Key{Role: subjects.RoleClient, Name: "ann"})
	f.service("admission", "admission", "--vouched", "--token-file", f.key("admission"))
	f.service("slotter", "slotter", "--token-file", f.key("slotter"))
	for _, name := range []string{"a", "b"} {
		f.agent(name, "--token-file", f.key("host-"+f.host(name)), "--labels", "at="+name)
	}
	var ann *client.Client
	f.eventually("the pool to be made", func() bool {
		nc, err := nats.Connect(f.url, nats.UserInfo("ann", "secret"))
		if err == nil {
			ann, err = client.Open(t.Context(), nc, subjects.DefaultPool)
		}
		return err == nil
	})
	t.Cleanup(ann.Close)

	ctx, cancel := patiently(t)
	defer cancel()
	hosts, err := ann.View(ctx)
	if err == nil {
		err = hosts.Until(ctx, func() bool { return hosts.State.Host(a) != nil && hosts.State.Host(b) != nil })
	}
	if err != nil {
		t.Fatalf("waiting for both hosts to join: %v", err)
	}

	seeds := strings.Repeat("seed\n", 100)
	write(t, filepath.Join(f.dir, "seeds"), seeds)
	job := submit(t, ann, f.dir, `
name: keys
stages:
  - name: many
    where: {at: a}
    each: seeds
    command: echo "$LULL_PARAM" > "$LULL_OUT/out"; echo said
  - {name: gate, tasks: 1, after: many, where: {at: b}, dir: ., command: 'until [ -e open ]; do sleep 0.02; done'}
  - name: one
    where: {at: b}
    from: many
    after: gate
    tasks: 1
    command: cat > "$LULL_OUT/all"
`)
	when(t, ann, job, mapped)
	f.vanish("a", job, "0/7")
	write(t, filepath.Join(f.dir, "open"), "")
	j := finished(t, ann, job)
	if j.User != "ann" {
		t.Errorf("user of the job = %q, want ann", j.User)
	}
	view, err := ann.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := ann.Outputs(t.Context(), view.State, view.State.Job(job), 2)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	if err := ann.Fetch(t.Context(), outputs, to); err != nil {
		t.Fatal(err)
	}
	if got := all(results(t, to)); got != seeds {
		t.Errorf("results = %d bytes, want the %d of the input", len(got), len(seeds))
	}
}
