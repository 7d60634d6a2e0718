package monitor

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sys/unix"

	"lull/subjects"
)

// run starts a monitor of scripted samplers in virtual time and hands its samples of whole seconds
// to check, one by one; check returns false to stop.
func run(t *testing.T, m *Monitor, check func(n int, u subjects.Usage) bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	n, start := 0, time.Now()
	m.config.Publish = func(u subjects.Usage) {
		if time.Since(start) == m.config.Every/early {
			return
		}
		if n++; ctx.Err() == nil && !check(n, u) {
			stop()
		}
	}
	if err := m.Run(ctx); err != nil {
		t.Error(err)
	}
}

func scripted(t *testing.T, log *bytes.Buffer, sources ...*source) *Monitor {
	t.Helper()
	config := Config{
		Host: "h", Publish: func(subjects.Usage) {},
		Logger: slog.New(slog.NewTextHandler(log, nil)), Registerer: prometheus.NewRegistry(),
	}
	if err := config.complete(); err != nil {
		t.Fatal(err)
	}
	config.Counters = &Counters{}
	m, err := assemble(config, sources)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// total sums a metric's series, as a scrape would show them.
func total(t *testing.T, m *Monitor, name string) (sum float64) {
	t.Helper()
	families, err := m.config.Registerer.(*prometheus.Registry).Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, series := range family.GetMetric() {
			sum += series.GetCounter().GetValue() + series.GetGauge().GetValue()
		}
	}
	return sum
}

// steady is a source that always answers, with the number of its readings.
func steady() *source {
	n := 0.0
	return newSource("cpu", func(time.Time) (func(*subjects.Usage), error) {
		n++
		value := n
		return func(u *subjects.Usage) { u.Primary = value }, nil
	})
}

func TestOneSampleASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		m := scripted(t, new(bytes.Buffer), steady())
		run(t, m, func(n int, u subjects.Usage) bool {
			if got := time.Since(start); got != time.Duration(n)*time.Second {
				t.Errorf("sample %d after %v, want %v", n, got, time.Duration(n)*time.Second)
			}
			if u.Host != "h" || u.At != time.Now().UnixNano() || u.Age != 0 || u.Primary != float64(n+2) {
				t.Errorf("sample %d = %+v, want host h, now, primary %d", n, u, n+2)
			}
			return n < 60
		})
	})
}

func TestTheFirstSampleIsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		start, m := time.Now(), scripted(t, new(bytes.Buffer), steady())
		m.config.Publish = func(subjects.Usage) { stop() }
		if err := m.Run(ctx); err != nil || time.Since(start) != 200*time.Millisecond {
			t.Errorf("first sample after %v, error %v, want 200ms, none", time.Since(start), err)
		}
	})
}

func TestAStuckReadingDoesNotHoldTheSample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, release, log := time.Now(), make(chan struct{}), new(bytes.Buffer)
		reads := 0
		disk := newSource("disk", func(time.Time) (func(*subjects.Usage), error) {
			if reads++; reads == 5 { // the one asked for at 3 s
				<-release
			}
			value := float64(reads)
			return func(u *subjects.Usage) { u.DiskRead = value }, nil
		})
		m := scripted(t, log, steady(), disk)
		run(t, m, func(n int, u subjects.Usage) bool {
			late := time.Since(start) - time.Duration(n)*time.Second
			if late < 0 || late > m.config.Grace {
				t.Errorf("sample %d is %v late, want 0 to %v", n, late, m.config.Grace)
			}
			switch {
			case n == 2 && u.Age != 0:
				t.Errorf("age before anything hangs = %v, want 0", u.Age)
			case n == 9 && (u.Age != 7 || u.DiskRead != 4 || u.Primary != 11):
				t.Errorf("six seconds into the hang: %+v; want the disk of 2 s, the CPU of now", u)
			case n == 9:
				close(release)
			case n == 11 && u.Age != 0:
				t.Errorf("age after the disk is back = %v, want 0", u.Age)
			}
			return n < 11
		})
		// Hung at 3 s: the samples of 4 to 9 s went out without it.
		if got := total(t, m, "lull_monitor_stuck_total"); got != 6 {
			t.Errorf("%v samples counted as stuck, want 6", got)
		}
		if strings.Count(log.String(), "hangs") != 1 || strings.Count(log.String(), "are back") != 1 {
			t.Errorf("log =\n%s\nwant one line on what hangs and one when it is back", log)
		}
	})
}

func TestAFailingSourceKeepsItsLastValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, log := 0, new(bytes.Buffer)
		net := newSource("net", func(time.Time) (func(*subjects.Usage), error) {
			if reads++; reads > 3 {
				return nil, errors.New("gone")
			}
			return func(u *subjects.Usage) { u.NetIn = 7 }, nil
		})
		m := scripted(t, log, steady(), net)
		run(t, m, func(n int, u subjects.Usage) bool {
			if u.NetIn != 7 || u.Age != float64(n-1) {
				t.Errorf("sample %d = %+v, want net 7 and age %d", n, u, n-1)
			}
			return n < 5
		})
		if got := total(t, m, "lull_monitor_errors_total"); got != 4 {
			t.Errorf("%v errors counted, want 4", got)
		}
		if strings.Count(log.String(), "gone") != 1 {
			t.Errorf("log =\n%s\nwant one line on what is gone", log)
		}
	})
}

func TestNoSampleBeforeTheCPUIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads, start := 0, time.Now()
		cpu := newSource("cpu", func(time.Time) (func(*subjects.Usage), error) {
			if reads++; reads < 6 {
				return nil, errors.New("not yet")
			}
			return func(u *subjects.Usage) { u.Cores = 2 }, nil
		})
		run(t, scripted(t, new(bytes.Buffer), cpu), func(_ int, u subjects.Usage) bool {
			if time.Since(start) != 4*time.Second || u.Cores != 2 {
				t.Errorf("first sample after %v = %+v, want 4s, 2 cores", time.Since(start), u)
			}
			return false
		})
	})
}

// TestAFileThatNeverAnswers has a real one: opening a FIFO waits for a writer.
func TestAFileThatNeverAnswers(t *testing.T) {
	root := tree(t, host, "proc/meminfo")
	fifo := filepath.Join(root, "proc/meminfo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	samples := make(chan subjects.Usage)
	ctx, stop := context.WithCancel(t.Context())
	m, err := New(Config{Host: "h", Root: root, Every: 5 * time.Millisecond, Registerer: prometheus.NewRegistry(),
		Publish: func(u subjects.Usage) {
			select {
			case samples <- u:
			case <-ctx.Done():
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- m.Run(ctx) }()

	first, last := <-samples, subjects.Usage{}
	for range 20 {
		last = <-samples
	}
	if last.Age <= first.Age || last.Cores != 2 || last.Memory != 0 || last.DiskFree <= 0 {
		t.Errorf("first sample %+v, twenty later %+v, want an older age, 2 cores, no memory and a disk", first, last)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if total(t, m, "lull_monitor_stuck_total") == 0 || total(t, m, "lull_host_cores") != 2 {
		t.Errorf("metrics: stuck %v, cores %v, want above 0, 2", total(t, m, "lull_monitor_stuck_total"), total(t, m, "lull_host_cores"))
	}
	put(t, root, "proc/meminfo", "") // unblock the reader
}

func TestConfigIsChecked(t *testing.T) {
	publish := func(subjects.Usage) {}
	for what, config := range map[string]Config{
		"no host":    {Publish: publish},
		"no publish": {Host: "h"},
		"no proc":    {Host: "h", Publish: publish, Root: t.TempDir()},
	} {
		if _, err := New(config); err == nil {
			t.Errorf("New(%s) = nil error, want an error", what)
		}
	}
}

func TestTwoMonitorsShareARegistry(t *testing.T) {
	registry := prometheus.NewRegistry()
	for _, name := range []string{"a", "b"} {
		if _, err := New(Config{Host: name, Publish: func(subjects.Usage) {}, Registerer: registry}); err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkSample reads every source of this machine once.
func BenchmarkSample(b *testing.B) {
	m, err := New(Config{Host: "h", Publish: func(subjects.Usage) {}})
	if err != nil {
		b.Fatal(err)
	}
	var before, after unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &before)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range m.sources {
			apply, err := s.read(time.Now())
			if err != nil {
				b.Fatal(s.name, err)
			}
			s.settle(answer{s, time.Now(), apply, nil})
		}
		m.publish(time.Now())
	}
	_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
	used := after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano()
	b.ReportMetric(float64(used)/1e3/float64(b.N), "cpu-µs/op")
}
