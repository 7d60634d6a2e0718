package inputs

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"time"

	"lull/client/fetch"
	"lull/hostctl/actor"
	"lull/hostctl/lru"
	"lull/hostctl/moved"
	"lull/hostctl/refusal"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/manifest"
	"lull/subjects/spec"
	"lull/subjects/turns"
)

// Documents finds the documents of jobs. hostctl.Lookup has them.
type Documents interface {
	Submitted(ctx context.Context, job string, doc uint64) (*subjects.Submitted, error)
	Object(ctx context.Context, name string) ([]byte, error)
}

// Slotter knows where outputs are. queries.Slotter implements it.
type Slotter interface {
	Outputs(ctx context.Context, job string, stage uint32) (*subjects.OutputsAnswer, error)
	OutputOf(ctx context.Context, job string, stage, task uint32) (*subjects.OutputsAnswer, error)
}

// Keeper learns of outputs of this host that are missing or damaged. kept.Keeper implements it.
type Keeper interface {
	Missed()
	Doubt(attempt uint64)
}

// Config is what a Gatherer works with. All fields but Roots, Moved and the bounds are required.
type Config struct {
	Host    string
	Store   *store.Store
	Lookup  Documents
	Slotter Slotter
	Keeper  Keeper
	// Ticket asks another host for a ticket to its outputs.
	Ticket func(ctx context.Context, host string) (subjects.TicketAnswer, error)
	// Roots are the authorities that sign other hosts' certificates, nil for the system's.
	Roots *x509.CertPool
	// Moved counts what is fetched. Defaults to nothing.
	Moved *moved.Counter
	// TaskTransfers bounds the transfers under way at once of a task, Transfers those of all
	// tasks and those of URLs. 0 means turns.TaskTransfers and turns.HostTransfers.
	TaskTransfers, Transfers int
}

// Gatherer gathers what the tasks of one host read. Its methods are safe for concurrent use.
type Gatherer struct {
	cfg    Config
	fetch  fetch.Client
	jobs   *lru.Cache[document, *subjects.Submitted]
	chunks *lru.Cache[string, *spec.Chunk] // of lists of splits
	// manifests has the manifests of the attempts read last: each task of a reduce stage reads those of
	// all tasks of the map stage.
	manifests *lru.Cache[uint64, manifest.Manifest]
	// sending is held by the one that fetches files sent along, so that the tasks of a stage that
	// begin together fetch them once.
	sending chan struct{}
}

// New returns a gatherer.
func New(c Config) *Gatherer {
	c.TaskTransfers, c.Transfers = cmp.Or(c.TaskTransfers, turns.TaskTransfers), cmp.Or(c.Transfers, turns.HostTransfers)
	g := &Gatherer{
		cfg: c, jobs: lru.New[document, *subjects.Submitted](64), chunks: lru.New[string, *spec.Chunk](16),
		manifests: lru.New[uint64, manifest.Manifest](512), sending: make(chan struct{}, 1),
	}
	g.fetch.Ticket = c.Ticket
	g.fetch.HTTP.Transport = newLimited(NewTransport(c.Roots, c.TaskTransfers, c.Moved), c.Transfers)
	return g
}

// Close closes connections to other hosts that no request uses.
func (g *Gatherer) Close() { g.fetch.HTTP.CloseIdleConnections() }

// headersWithin bounds the wait for another host's answer to begin. A connection that stalls
// later is closed by TCP's keep-alive, after some minutes.
const headersWithin = 20 * time.Second

// NewTransport is for fetching from other hosts. It keeps so many connections to each.
func NewTransport(roots *x509.CertPool, idle int, count *moved.Counter) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = count.Dial(t.DialContext)
	if roots != nil {
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	t.ResponseHeaderTimeout, t.MaxIdleConnsPerHost = headersWithin, idle
	return t
}

// Attempt is the attempt that input is gathered for. Its folder has been made.
type Attempt struct {
	Task   actor.Task
	Doc    *subjects.Submitted // of its job
	Folder store.Folder
	// Room is asked before anything is copied, with the bytes of all that is gathered, and may
	// refuse the attempt. Nil allows everything.
	Room func(bytes int64) error
}

func (at Attempt) stage() *spec.Stage { return &at.Doc.Spec.Stages[at.Task.Stage] }

// Input gathers what a task reads: the ranges of its split or, if its stage reads earlier ones,
// their outputs, linked or copied into the attempt's in/ folder. Also after an error, Trees of the
// result lists the folders that the next reader may reuse.
func (g *Gatherer) Input(ctx context.Context, at Attempt, split []spec.Range) (in Input, err error) {
	if in.Ranges, err = g.download(ctx, at.Folder, split); err != nil {
		return in, err
	}
	if len(at.stage().From) == 0 {
		return in, nil
	}
	pieces, copied, err := g.gather(ctx, at, true, &in.Trees)
	in.Ranges, in.Fetch = Whole(pieces).Ranges, copied
	return in, err
}

// Pieces gathers the outputs of earlier stages for a reader that is given their paths. Only those
// of other hosts are copied into the attempt's in/ folder, and measured.
func (g *Gatherer) Pieces(ctx context.Context, at Attempt) ([]Piece, subjects.Fetch, error) {
	return g.gather(ctx, at, false, new([]store.Tree))
}

// DoubtInput doubts this host's outputs that a task reads. Those of other hosts were compared with
// their manifests when they were fetched.
func (g *Gatherer) DoubtInput(ctx context.Context, at Attempt) {
	for _, from := range at.stage().From {
		answer, err := g.outputs(ctx, at, from)
		if err != nil {
			return // the next attempt finds the damage again
		}
		for _, o := range answer.Outputs {
			if int(o.Host) < len(answer.Hosts) && answer.Hosts[o.Host].Host == g.cfg.Host {
				g.cfg.Keeper.Doubt(o.Attempt)
			}
		}
	}
}

// broken refuses an input that would be the same elsewhere or later.
func broken(err error) error { return refusal.Fail(subjects.ReasonInput, err) }
