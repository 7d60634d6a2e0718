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

// Logger returns a logger that writes to w.
func (l Log) Logger(w io.Writer) *slog.Logger {
	if l.JSON {
		return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: l.Level}))
	}
	return slog.New(&people{level: l.Level, out: &output{w: w}})
}

// people writes lines for people. The message is a sentence that is complete by itself, except for
// an error, which follows it. Attributes follow in brackets, but only with warnings and while
// debugging.
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
	b.WriteString(r.Message)
	if r.Level >= slog.LevelWarn || p.level < slog.LevelInfo {
		p.details(&b, r)
	} else {
		because(&b, r)
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

func (p *people) details(b *strings.Builder, r slog.Record) {
	open := " ("
	write := func(a slog.Attr) bool {
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
