package shell

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
)

// traceBatch makes a span for the batch, linked to the work of its events. It makes a child span in
// each such trace, whose context the events carry on. It returns a function that ends the spans.
// Without a Traced actor it does next to nothing; with the default tracer it passes the traceparent
// on unchanged.
func (s *Shell) traceBatch(drafts []core.Draft, batch []subjects.Message) func(error) {
	traced, ok := s.cfg.Actor.(actors.Traced)
	if !ok {
		return func(error) {}
	}
	children := make(map[string]string) // parent → what its events carry
	var spans []trace.Span
	var links []trace.Link
	for i := range drafts {
		parent := traced.Trace(drafts[i].Event)
		if parent == "" {
			continue
		}
		if _, known := children[parent]; !known {
			ctx, span := s.cfg.Tracer.Start(parse(parent), s.cfg.Name+" decide")
			children[parent] = format(ctx)
			spans = append(spans, span)
			links = append(links, trace.Link{SpanContext: span.SpanContext()})
		}
		batch[i].Trace = children[parent]
	}
	_, span := s.cfg.Tracer.Start(s.ctx, s.cfg.Name+" append", trace.WithLinks(links...),
		trace.WithAttributes(attribute.Int("lull.events", len(batch)), attribute.String("lull.partition", s.cfg.Partition)))
	return func(err error) { endSpans(append(spans, span), err) }
}

func endSpans(spans []trace.Span, err error) {
	for _, span := range spans {
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		span.End()
	}
}

// parse returns a context below a traceparent; one that is none is ignored.
func parse(traceparent string) context.Context {
	carrier := propagation.MapCarrier{actors.Traceparent: traceparent}
	return propagation.TraceContext{}.Extract(context.Background(), carrier)
}

func format(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[actors.Traceparent]
}
