package waits

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// stage has a cgroup for batch work and one for a primary, on this kernel.
type stage struct {
	t              testing.TB
	batch, primary string
}

func newStage(t testing.TB) *stage {
	t.Helper()
	// Not below lull's own group: agents of other tests put that into the idle class,
	// where nothing runs while others want every core.
	own, err := os.MkdirTemp("/sys/fs/cgroup/cpu", "lull-waits-")
	if err != nil {
		t.Skip("needs the right to make cgroups: ", err)
	}
	t.Cleanup(func() { _ = os.Remove(own) })
	s := &stage{t, own + "/batch", own + "/primary"}
	for _, group := range []string{s.batch, s.primary} {
		if err := os.Mkdir(group, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := os.Remove(group); err != nil {
				t.Error(err)
			}
		})
	}
	return s
}

// withoutTracer ends a test for which there is no tracer. It skips the test where the kernel
// allows no eBPF, and fails it where the kernel refuses these programs.
func withoutTracer(t testing.TB, err error) {
	t.Helper()
	if _, missing := os.Stat("/sys/kernel/btf/vmlinux"); missing != nil || os.Geteuid() != 0 || errors.Is(err, fs.ErrPermission) || errors.Is(err, ebpf.ErrNotSupported) {
		t.Skip("needs eBPF: ", err)
	}
	t.Fatal(err)
}

// open traces the stage's groups, or others.
func (s *stage) open(batch, primary []string) *Sensor {
	s.t.Helper()
	return s.openAs(Config{Root: "/", Batch: batch, Primary: primary})
}

func (s *stage) openAs(cfg Config) *Sensor {
	s.t.Helper()
	source, err := openTracer(cfg)
	if err != nil {
		withoutTracer(s.t, err)
	}
	s.t.Cleanup(func() {
		if err := source.close(); err != nil {
			s.t.Error(err)
		}
	})
	sensor, err := startSensor(source)
	if err != nil {
		s.t.Fatal(err)
	}
	return sensor
}

// in runs a command in a group, on the first CPU, until the test ends.
func (s *stage) in(group string, argv ...string) (stdin io.Writer, stdout io.Reader) {
	s.t.Helper()
	return s.on(0, group, argv...)
}

// on runs a command in a group, on a CPU, until the test ends.
func (s *stage) on(cpu int, group string, argv ...string) (stdin io.Writer, stdout io.Reader) {
	s.t.Helper()
	join := fmt.Sprintf(`echo 0 > %s/cgroup.procs; exec taskset -c %d "$@"`, group, cpu)
	cmd := exec.Command("sh", append([]string{"-c", join, "sh"}, argv...)...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if stdout, err = cmd.StdoutPipe(); err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return stdin, stdout
}

// hog computes in the batch group. It returns when it has begun.
func (s *stage) hog() { s.t.Helper(); s.spin(0, s.batch) }

// spin computes in a group, on a CPU.
func (s *stage) spin(cpu int, group string) {
	s.t.Helper()
	_, out := s.on(cpu, group, "sh", "-c", "echo; while :; do :; done")
	s.hear(out)
}

func (s *stage) hear(from io.Reader) {
	s.t.Helper()
	if _, err := io.ReadFull(from, make([]byte, 1)); err != nil {
		s.t.Fatal(err)
	}
}

// echoes wakes a primary n times.
func (s *stage) echoes(n int) {
	s.t.Helper()
	in, out := s.in(s.primary, "cat")
	s.echo(n, in, out)
}

// echo wakes a process that answers each byte with one, n times.
func (s *stage) echo(n int, in io.Writer, out io.Reader) {
	s.t.Helper()
	for range n {
		if _, err := in.Write([]byte{1}); err != nil {
			s.t.Fatal(err)
		}
		s.hear(out)
	}
}

// Batch work has the primary's weight here: in the idle class it would not run at all while the
// rest of the machine is busy, and there would be no waiting.
func TestAWakingThreadIsDelayedByBatchWork(t *testing.T) {
	s := newStage(t)
	s.hog()
	sensor := s.open([]string{s.batch}, []string{s.primary})
	var delays Histogram
	for range 100 {
		s.echoes(20)
		if delays, _ = sensor.Delays(); delays.Count() >= 3 {
			break
		}
	}
	r := must(t, sensor)
	if r.Delayed <= 0 || r.Delayed > r.Runnable || r.Ran <= 0 || delays.Count() < 3 {
		t.Errorf("%d wake-ups beside batch work delayed: %+v, want at least 3", delays.Count(), r)
	}
	t.Logf("%+v; of %d delays half were at most %.0f µs", r, delays.Count(), delays.Quantile(0.5)*1e6)
}

func TestWithoutBatchWorkNoThreadIsDelayed(t *testing.T) {
	s := newStage(t)
	sensor := s.open([]string{s.batch}, nil) // the whole machine is the primary's
	s.echoes(50)
	if r := must(t, sensor); r.Delayed > 0 || r.Ran <= 0 || r.Runnable <= 0 {
		t.Errorf("without batch work: %+v, want no delay", r)
	}
}

func TestTheOwnProcessIsNotThePrimary(t *testing.T) {
	s := newStage(t)
	s.hog()
	in, out := s.in(s.primary, "cat")
	s.echo(1, in, out) // it has joined its group
	own := s.only(s.primary)
	sensor := s.openAs(Config{Root: "/", Batch: []string{s.batch}, Primary: []string{s.primary}, Own: own})
	s.echo(50, in, out)
	if r := must(t, sensor); r != (Reading{Name: "eBPF"}) {
		t.Errorf("process %d, which belongs to neither: %+v, want nothing counted", own, r)
	}
}

// What others run in the idle class takes no more than what is left, as batch work does. A guard
// that counted it would give it all of the CPU.
func TestTheIdleClassOfOthersIsNotThePrimary(t *testing.T) {
	s := newStage(t)
	in, out := s.in(s.primary, "chrt", "-i", "0", "cat")
	s.echo(1, in, out) // it has the policy
	sensor := s.open([]string{s.batch}, []string{s.primary})
	s.echo(50, in, out)
	if r := must(t, sensor); r != (Reading{Name: "eBPF"}) {
		t.Errorf("a process of the policy SCHED_IDLE: %+v, want nothing counted", r)
	}
	in, out = s.in(s.primary, "cat")
	s.echo(2, in, out) // its time counts once it has let go of the CPU, as it had before the second one
	if r := must(t, sensor); r.Ran <= 0 {
		t.Fatalf("a process of the ordinary policy: %+v, want its CPU time", r)
	}
	if err := os.WriteFile(s.primary+"/cpu.idle", []byte("1"), 0o644); err != nil {
		t.Skip("needs cgroups of the idle class: ", err)
	}
	before := must(t, sensor)
	s.echo(50, in, out)
	if r := must(t, sensor); r != before {
		t.Errorf("a process in a group with cpu.idle: %+v, want what it was before: %+v", r, before)
	}
}

// only is the one process of a group.
func (s *stage) only(group string) (pid int) {
	s.t.Helper()
	text, err := os.ReadFile(group + "/cgroup.procs")
	if err == nil {
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return pid
}

func TestBatchWorkThatWaitsForItselfIsNoDelay(t *testing.T) {
	s := newStage(t)
	sensor := s.open([]string{s.batch}, []string{s.primary})
	s.hog()
	s.hog()
	if r := must(t, sensor); r != (Reading{Name: "eBPF"}) {
		t.Errorf("two tasks of batch work on one CPU: %+v, want nothing counted", r)
	}
}

// delayed reads until the primary was delayed for that long.
func (s *stage) delayed(sensor *Sensor, seconds float64) {
	s.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		r := must(s.t, sensor)
		switch {
		case r.Delayed > r.Runnable:
			s.t.Fatalf("Delayed, Runnable = %v, %v, want no more delayed", r.Delayed, r.Runnable)
		case r.Delayed > seconds:
			s.t.Logf("%+v", r)
			return
		case time.Now().After(deadline):
			s.t.Fatalf("Delayed = %v after 20 s, want above %v: %+v", r.Delayed, seconds, r)
		}
	}
}

// Two that compute on one CPU at the same weight wait for one another in turn,
// in stints of milliseconds, and are preempted, not woken.
func TestAPreemptedThreadIsDelayedToo(t *testing.T) {
	s := newStage(t)
	s.hog()
	sensor := s.open([]string{s.batch}, []string{s.primary})
	s.spin(0, s.primary)
	s.delayed(sensor, 0.05)
}

// crowd has two of the primary's threads wait for each other, while the other CPU
// runs batch work.
func (s *stage) crowd() *Sensor {
	s.t.Helper()
	if runtime.NumCPU() < 2 {
		s.t.Skip("needs two CPUs")
	}
	sensor := s.open([]string{s.batch}, []string{s.primary})
	s.spin(1, s.batch)
	s.spin(0, s.primary)
	s.spin(0, s.primary)
	return sensor
}

func TestWaitingForEachOtherWhileAnotherCPURunsBatchWorkIsDelayToo(t *testing.T) {
	s := newStage(t)
	s.delayed(s.crowd(), 0.1)
}

func TestTheBellRingsForTheListener(t *testing.T) {
	sensor := newStage(t).crowd()
	cores, err := sensor.Cores()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := cores.Close(); err != nil {
			t.Error(err)
		}
	}()
	rings := func(within int) bool {
		cores.Look(nil) // drop earlier rings
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(cores.Bell()), Events: unix.POLLIN}}, within)
		if err != nil && !errors.Is(err, unix.EINTR) {
			t.Fatal(err)
		}
		return n > 0
	}
	if rings(50) {
		t.Error("rings(50) = true before anything listens, want false")
	}
	cores.SetListener(os.Getpid())
	for deadline := time.Now().Add(20 * time.Second); !rings(1000); {
		if time.Now().After(deadline) {
			t.Fatalf("cores = %+v after 20 s, want a ring", cores.Look(nil))
		}
	}
}

func TestASensorThatIsClosedMeasuresNoMore(t *testing.T) {
	source, err := openTracer(Config{Root: "/"})
	if err != nil {
		withoutTracer(t, err)
	}
	if err := source.close(); err != nil {
		t.Fatal(err)
	}
	if r, err := source.read(); err == nil {
		t.Errorf("reading of a closed source = %+v, want an error", r)
	}
}

func TestAGroupThatIsNotThereIsRefused(t *testing.T) {
	if _, err := openTracer(Config{Root: "/", Batch: []string{"/nowhere/lull"}}); err == nil {
		t.Error("openTracer(a group that is not there) = nil error, want an error")
	}
}

func BenchmarkRead(b *testing.B) {
	s := newStage(b)
	sensor := s.open([]string{s.batch}, nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sensor.Read(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSwitch wakes a thread on another CPU or its own, and reports what the
// programs cost a run by the kernel's account. Asking for it costs some of that.
func BenchmarkSwitch(b *testing.B) {
	s := newStage(b)
	source, err := openTracer(Config{Root: "/", Batch: []string{s.batch}})
	if err != nil {
		withoutTracer(b, err)
	}
	defer source.close() //nolint:errcheck // the process ends
	stats, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		b.Skip("needs a kernel that counts what programs cost: ", err)
	}
	defer stats.Close() //nolint:errcheck // the process ends
	in, out := s.in(s.primary, "cat")
	for b.Loop() {
		if _, err := in.Write([]byte{1}); err != nil {
			b.Fatal(err)
		}
		s.hear(out)
	}
	for i, name := range []string{"wakeup", "new", "switch"} {
		b.ReportMetric(cost(b, source.(*tracer).links[i]), name+"-ns/run")
	}
}

// cost is what a program takes on average, in nanoseconds; 0 if it did not run.
func cost(b *testing.B, l link.Link) float64 {
	b.Helper()
	info, err := l.Info()
	if err != nil {
		b.Fatal(err)
	}
	program, err := ebpf.NewProgramFromID(info.Program)
	if err != nil {
		b.Fatal(err)
	}
	defer program.Close() //nolint:errcheck // read only
	stats, err := program.Stats()
	if err != nil {
		b.Fatal(err)
	}
	return float64(stats.Runtime.Nanoseconds()) / float64(max(stats.RunCount, 1))
}
