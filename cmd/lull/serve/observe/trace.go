package observe

import (
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"lull/cmd/lull/serve/observe/otlp"
)

// Tracing returns a provider of tracers for a service, and a function that ends it. Spans go to
// $OTEL_EXPORTER_OTLP_ENDPOINT, or nowhere if that is not set. Trace
// contexts are passed on in either case. Package otlp and OpenTelemetry's SDK
// read the other OTEL_ variables themselves.
func Tracing(ctx context.Context, service, version string) (trace.TracerProvider, func(context.Context) error, error) {
	if !otlp.Configured(os.Getenv) {
		return noop.NewTracerProvider(), func(context.Context) error { return nil }, nil
	}
	config, err := otlp.ConfigFrom(os.Getenv)
	if err != nil {
		return nil, nil, fmt.Errorf("set up traces: %w", err)
	}
	exporter, err := otlptrace.New(ctx, otlp.NewClient(config))
	if err != nil {
		return nil, nil, fmt.Errorf("set up traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(serviceAttributes(service, version)...),
		resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("describe this process for traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return provider, provider.Shutdown, nil
}
