// Package fetch reads another host's outputs over HTTP. It resumes where a connection broke, and
// checks files against the manifest, and the manifest against the digest in the log. It leaves a
// correct file, or none.
package fetch
