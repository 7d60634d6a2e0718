package past

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
	"lull/subjects/history"
	"lull/subjects/ledger"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// Table is the benchmark.
var Table = tables.Table{Name: "history", What: "a month of a large pool's samples: bytes, and a classifier's first and daily read", Run: run}

// size is how large the pool is.
type size struct{ hosts, tenants int }

var (
	full  = size{10_000, 1_000}
	small = size{100, 10}
)

func run(ctx context.Context, quick bool) (*report.Report, error) {
	n := full
	if quick {
		n = small
	}
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	p := &pool{dir: dir}
	defer p.close()
	if err := p.open(ctx); err != nil {
		return nil, err
	}
	return p.measure(ctx, n, quick)
}

func (p *pool) measure(ctx context.Context, n size, quick bool) (*report.Report, error) {
	load, note := newLoad(n)
	r := &report.Report{Notes: []string{note,
		"The stream is a server's of its own, on a disk. cold: a classifier starts and makes its first generation. daily: each host has a further day, and the classifier (--memory 1GB) makes the next one. cpu_s is what counts where other processes want the cores."}}
	today := history.DayOf(history.Slot(time.Now()))
	if err := p.client.Append(ctx, ledger.New(), client.Owned(load.owners())); err != nil {
		return nil, err
	}
	begin := time.Now()
	// The month ends the day before yesterday, so that yesterday is the further day.
	samples, err := p.put(ctx, load, today-int64((history.Days+1)*history.PerDay), 0, history.Days)
	if err != nil {
		return nil, err
	}
	filled := time.Since(begin)
	info, err := p.info(ctx)
	if err != nil {
		return nil, err
	}
	perSample := float64(info.bytes) / float64(samples)
	r.Rows = append(r.Rows, report.Row{{Key: "what", Value: "stream"}, {Key: "hosts", Value: n.hosts}, {Key: "blocks", Value: info.messages},
		{Key: "s", Value: filled.Seconds()}, {Key: "cpu_s", Value: "-"}, {Key: "peak_mb", Value: p.serverMB()}, {Key: "bytes_a_sample", Value: perSample}})
	cold, err := p.first(ctx)
	if err != nil {
		return nil, err
	}
	r.Rows = append(r.Rows, cold.row("cold", n, info.messages))
	if _, err := p.put(ctx, load, today-int64(history.PerDay), history.Days, 1); err != nil {
		return nil, err
	}
	daily, err := p.again(ctx)
	if err != nil {
		return nil, err
	}
	r.Rows = append(r.Rows, daily.row("daily", n, n.hosts))
	if info, err = p.info(ctx); err != nil {
		return nil, err
	}
	r.Checks = append(r.Checks, report.AtMost("bytes a sample in the stream, its own record included", perSample, 6))
	if quick {
		return r, nil
	}
	r.Checks = append(r.Checks,
		report.AtMost("subjects of a month and a day", float64(info.subjects), 400_000),
		report.AtMost("first generation, s", cold.took.Seconds(), 60), report.AtMost("memory of the classifier, MB", daily.peak, 1000),
		report.AtMost("a further day, s", daily.took.Seconds(), 10), report.AtMost("a further day, CPU s", daily.cpu.Seconds(), 10))
	return r, nil
}

// cost is the time and memory that a generation took.
type cost struct {
	took, cpu time.Duration
	peak      float64 // MB
}

func (c cost) row(what string, n size, blocks int) report.Row {
	return report.Row{{Key: "what", Value: what}, {Key: "hosts", Value: n.hosts}, {Key: "blocks", Value: blocks},
		{Key: "s", Value: c.took.Seconds()}, {Key: "cpu_s", Value: c.cpu.Seconds()}, {Key: "peak_mb", Value: c.peak}, {Key: "bytes_a_sample", Value: "-"}}
}

// pool is a server and a classifier, in processes of their own.
type pool struct {
	dir, binary        string
	endpoint           folder.Endpoint
	server, classifier *exec.Cmd
	conn               *nats.Conn
	bus                *jetstream.Bus
	client             *client.Client
}

func (p *pool) open(ctx context.Context) (err error) {
	if p.binary, err = host.Build(ctx, p.dir); err != nil {
		return err
	}
	data := filepath.Join(p.dir, "data")
	if p.server, err = p.start("server", "--data", data, "--listen", "127.0.0.1:0"); err != nil {
		return err
	}
	var ok bool
	err = host.Until(ctx, "the server answers", func() (bool, error) {
		p.endpoint, ok = local.Attach(data)
		return ok, nil
	})
	if err != nil {
		return err
	}
	if p.conn, err = nats.Connect(p.endpoint.URL, nats.Token(p.endpoint.Token)); err != nil {
		return err
	}
	if p.bus, err = jetstream.Open(ctx, p.conn, subjects.DefaultPool); err != nil {
		return err
	}
	p.client, err = client.Open(ctx, p.conn, subjects.DefaultPool)
	return err
}

func (p *pool) start(name string, flags ...string) (*exec.Cmd, error) {
	cmd := exec.Command(p.binary, append([]string{name, "--log-level", "error"}, flags...)...)
	cmd.Env = append(os.Environ(), "LULL_TOKEN="+p.endpoint.Token)
	cmd.Stderr = os.Stderr
	return cmd, cmd.Start()
}

func (p *pool) close() {
	if p.client != nil {
		p.client.Close()
	}
	for _, cmd := range []*exec.Cmd{p.classifier, p.server} {
		if cmd != nil && cmd.Process != nil {
			_ = host.End(cmd)
		}
	}
}

// first starts a classifier and waits for its first generation.
func (p *pool) first(ctx context.Context) (c cost, err error) {
	view, err := p.client.View(ctx)
	if err != nil {
		return c, err
	}
	begin := time.Now()
	if p.classifier, err = p.start("classifier", "--nats", p.endpoint.URL, "--memory", "1GB"); err != nil {
		return c, err
	}
	err = view.Until(ctx, func() bool { return view.State.Tenants.Last() != nil })
	return p.cost(begin, 0, err)
}

// again makes the classifier make its next generation.
func (p *pool) again(ctx context.Context) (c cost, err error) {
	used, err := host.CPUTime(p.classifier.Process.Pid)
	if err != nil {
		return c, err
	}
	begin := time.Now()
	answer, err := p.client.Classify(ctx, false)
	if err == nil && answer.Tenants == 0 {
		err = fmt.Errorf("the classifier knows no tenant: %+v", answer)
	}
	return p.cost(begin, used, err)
}

func (p *pool) cost(begin time.Time, used time.Duration, err error) (cost, error) {
	c := cost{took: time.Since(begin)}
	if err != nil {
		return c, err
	}
	cpu, err := host.CPUTime(p.classifier.Process.Pid)
	if err != nil {
		return c, err
	}
	peak, err := host.Status(p.classifier.Process.Pid, "VmHWM:")
	c.cpu, c.peak = cpu-used, float64(peak)/1e6
	return c, err
}

func (p *pool) serverMB() float64 {
	peak, err := host.Status(p.server.Process.Pid, "VmHWM:")
	if err != nil {
		return 0
	}
	return float64(peak) / 1e6
}
