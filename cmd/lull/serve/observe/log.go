package observe

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// Log says what is logged and how.
type Log struct {
	Level slog.Level
	JSON  bool // for machines; else lines for people
}

// Logger returns a logger that writes to w, a warning that comes again at most once a minute.
func (l Log) Logger(w io.Writer) *slog.Logger {
	var to slog.Handler = &people{level: l.Level, out: &output{w: w}}
	if l.JSON {
		to = slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l.Level})
	}
	return slog.New(newSparse(to))
}

// people writes lines for people. The message is a sentence that is complete by itself, except for
// an error, which follows it. With warnings and while debugging, the service that logs comes before it, and other
// attributes follow in brackets.
type people struct {
	level slog.Level
	out   *output
	attrs []slog.Attr
	group string
}

// output is shared by all handlers made from one.
type output struct {
	sync.Mutex
	w io.Writer
}

var _ slog.Handler = (*people)(nil)

func (p *people) Enabled(_ context.Context, level slog.Level) bool { return level >= p.level }

func (p *people) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Time.Format("15:04:05 "))
	if r.Level != slog.LevelInfo {
		b.WriteString(strings.ToLower(r.Level.String()) + ": ")
	}
	detailed := r.Level >= slog.LevelWarn || p.level < slog.LevelInfo
	if detailed {
		p.service(&b)
	}
	b.WriteString(r.Message)
	because(&b, r)
	if detailed {
		p.details(&b, r)
	}
	b.WriteByte('\n')
	p.out.Lock()
	defer p.out.Unlock()
	_, err := io.WriteString(p.out.w, b.String())
	return err
}

// because ends a sentence with the error that is its reason.
func because(b *strings.Builder, r slog.Record) {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			b.WriteString(": " + a.Value.Resolve().String())
		}
		return true
	})
}

// actor is the attribute that names the service that logs.
const actor = "actor"

// service begins a line with the service that logs.
func (p *people) service(b *strings.Builder) {
	for _, a := range p.attrs {
		if a.Key == actor {
			b.WriteString(a.Value.Resolve().String() + ": ")
		}
	}
}

func (p *people) details(b *strings.Builder, r slog.Record) {
	open := " ("
	write := func(a slog.Attr) bool {
		if a.Key == "error" || a.Key == actor {
			return true
		}
		b.WriteString(open + p.group + a.Key + " " + a.Value.Resolve().String())
		open = ", "
		return true
	}
	for _, a := range p.attrs {
		write(a)
	}
	r.Attrs(write)
	if open == ", " {
		b.WriteByte(')')
	}
}

func (p *people) WithAttrs(attrs []slog.Attr) slog.Handler {
	q := *p
	q.attrs = append(p.attrs[:len(p.attrs):len(p.attrs)], attrs...)
	return &q
}

func (p *people) WithGroup(name string) slog.Handler {
	q := *p
	q.group += name + "."
	return &q
}
