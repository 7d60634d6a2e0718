package pipeline

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/cmd/lull/serve/service"
	"lull/slotter"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/test/unguarded"
)

const (
	wideCores   = 16  // a late write of a counter looks like a burst: there is room for seconds of it
	quietLoad   = 0.5 // cores
	longEnough  = 50  // jobs that must have ended before their lengths decide what is long
	historyDays = 29
)

// wideHost is what an agent of the test offers: two slots, and a reserve, so that a burst of its
// primary evicts its tasks.
func wideHost(name, tenant string, h *tree) service.HostConfig {
	host := service.HostConfig{Name: fmt.Sprintf("%s-%d", name, os.Getpid()), Root: h.root}
	unguarded.Set(&host.Options)
	host.Tenant, host.Slots, host.ReserveCPU, host.ReserveMemory = tenant, 2, 2, -1
	return host
}

// A pool imports what its tenants did in the last month. A job of a type that runs long is then
// steered to the host of the constant tenant. It survives a burst on the other host, which evicts
// the tasks that run there.
func TestALongJobIsSteeredToTheConstantTenant(t *testing.T) {
	calm, moody := newTree(t, wideCores, quietLoad), newTree(t, wideCores, quietLoad)
	calmHost, moodyHost := wideHost("calm", "ledger", calm), wideHost("moody", "web", moody)
	data := filepath.Join(t.TempDir(), "data")
	l, c := start(t, local.Config{Data: data, Host: calmHost, Slotter: slotter.Config{Steer: slotter.SteerPaper}})
	join(t, l, moodyHost)
	reaches(t, c, "both hosts", func(s *ledger.State) bool {
		a, b := s.Host(calmHost.Name), s.Host(moodyHost.Name)
		return a != nil && a.Open() && b != nil && b.Open()
	})
	importPast(t, data, calmHost.Name, moodyHost.Name)
	makeLong(t, c)

	gate := filepath.Join(t.TempDir(), "open")
	long := submit(t, c, ".", nightly(2, fmt.Sprintf("while [ ! -e %s ]; do sleep 0.1; done", gate)))
	attempts(t, c, long, 2, runs)
	steered := steeringOf(t, c, long)
	if steered.Length != "long" {
		t.Errorf("length of the job = %s, want long: %+v", steered.Length, steered)
	}
	for _, class := range steered.Classes {
		if constant := strings.HasPrefix(class.Name, "constant-"); class.Picked != constant {
			t.Errorf("class %s picked = %v, want %v: %+v", class.Name, class.Picked, constant, steered)
		}
	}
	// A job that no class has room for runs wherever slots are free: beside the other tenant.
	crowd := submit(t, c, ".", waiting("crowd", 4*wideCores, gate))
	attempts(t, c, crowd, 2, runs)

	moody.drive(wideCores)
	reaches(t, c, "the burst to evict what runs beside it", func(s *ledger.State) bool {
		return s.Job(crowd).Totals.Evicted >= 2 && len(s.Host(moodyHost.Name).Attempts()) == 0
	})
	attempts(t, c, long, 2, func(at *ledger.Attempt) bool { return runs(at) && at.Host.Name == calmHost.Name })
	cancel(t, c, crowd)
	write(t, gate, "")
	if j := finished(t, c, long); j.Totals.Attempts != 2 || j.Totals.Evicted != 0 || j.Totals.Failed != 0 {
		t.Errorf("totals = %+v, want two attempts, none evicted or failed", j.Totals)
	}
}

// join starts another agent of the pool in this process, which leaves when the test ends.
func join(t *testing.T, l *local.Local, host service.HostConfig) {
	t.Helper()
	conn, err := l.Conn(host.Name)
	if err != nil {
		t.Fatal(err)
	}
	bus, err := jetstream.Open(t.Context(), conn, subjects.DefaultPool)
	if err != nil {
		t.Fatal(err)
	}
	var shared service.Shared
	shared.Fill()
	data := filepath.Join(t.TempDir(), "data")
	agent, err := service.NewAgent(bus, bus, shared, host, data)
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	var group service.Group
	group.Start(func(err error) { failed <- err }, agent)
	t.Cleanup(func() {
		if err := group.Stop(); err != nil {
			t.Error(err)
		}
		conn.Close()
		select {
		case err := <-failed:
			t.Error(err)
		default:
		}
		nothingLeft(t, host.Name, data)
	})
}

// importPast brings a month of two hosts into the pool as a person does, and has it classified: the
// primary of the first used little all the time, that of the second bursts at random hours.
func importPast(t *testing.T, data, quiet, bursting string) {
	t.Helper()
	folder := t.TempDir()
	usage, tenants := filepath.Join(folder, "usage.csv"), filepath.Join(folder, "tenants.csv")
	rng := rand.New(rand.NewPCG(1, 2))
	end := time.Now().Truncate(5 * time.Minute)
	rows := [][]string{{"series_id", "cores"}, {quiet, strconv.Itoa(wideCores)}, {bursting, strconv.Itoa(wideCores)}}
	level := 0
	for at := end.Add(-historyDays * 24 * time.Hour); at.Before(end); at = at.Add(5 * time.Minute) {
		if rng.IntN(24) == 0 { // about every two hours
			level = []int{5, 5, 60, 100}[rng.IntN(4)]
		}
		rows[0] = append(rows[0], strconv.FormatInt(at.Unix(), 10))
		rows[1] = append(rows[1], "4")
		rows[2] = append(rows[2], strconv.Itoa(level))
	}
	table(t, usage, rows)
	table(t, tenants, [][]string{{"host", "tenant"}, {quiet, "ledger"}, {bursting, "web"}})
	lull(t, "history", "import", usage, "--tenants", tenants, "--data", data)
	lull(t, "classify", "--data", data)
}

func table(t *testing.T, path string, rows [][]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := csv.NewWriter(f).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// nightly is a job of the type that makeLong has run.
func nightly(tasks int, command string) string {
	return fmt.Sprintf("name: nightly\nstages:\n  - {name: a, tasks: %d, command: '%s'}\n", tasks, command)
}

// makeLong runs jobs of which the last, of the type nightly, does nearly all the work: the pool then
// knows which jobs are long.
func makeLong(t *testing.T, c *client.Client) {
	t.Helper()
	var jobs []string
	for range longEnough {
		jobs = append(jobs, submit(t, c, ".", "name: brief\nstages:\n  - {name: a, tasks: 1, command: [\"/bin/true\"]}\n"))
	}
	brief := 0.0
	for _, job := range jobs {
		brief += finished(t, c, job).Totals.CPU
	}
	// The shell counts until its process has used four times that, in hundredths of a second.
	need := int(100*4*brief) + 10
	count := fmt.Sprintf(`i=0; used=0; while [ $used -lt %d ]; do i=$((i+1)); [ $((i %% 1000)) != 0 ] || { read -r line < /proc/self/stat; set -- $line; used=$((${14}+${15})); }; done`, need)
	if j := finished(t, c, submit(t, c, ".", nightly(1, count))); j.Totals.CPU < 3*brief {
		t.Fatalf("CPU of the long job = %.2f s, want at least three times the %.2f s of the brief ones", j.Totals.CPU, brief)
	}
}

// steeringOf returns the event with a job's classes.
func steeringOf(t *testing.T, c *client.Client, job string) *subjects.Steered {
	t.Helper()
	all := history(t, c, job)
	for _, entry := range slices.Backward(all) {
		if e, ok := entry.Event.(*subjects.Steered); ok {
			return e
		}
	}
	t.Fatalf("events of job %s = %+v, want it steered", job, all)
	return nil
}

func cancel(t *testing.T, c *client.Client, job string) {
	t.Helper()
	if _, err := c.Cancel(t.Context(), client.Request{Job: job}); err != nil {
		t.Fatal(err)
	}
}
