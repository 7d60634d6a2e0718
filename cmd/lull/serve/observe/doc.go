// Package observe shows the state of a lull process: by log lines, by metrics and health over HTTP, and by
// traces over OTLP.
package observe
