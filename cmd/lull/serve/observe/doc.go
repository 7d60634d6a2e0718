// Package observe is how a lull process is looked at from outside: its log
// lines, its metrics and health over HTTP, its traces over OTLP.
package observe
