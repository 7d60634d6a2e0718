// Package fetch reads another host's outputs over HTTP: resumed where a
// connection broke, checked against the manifest, and the manifest against the
// digest in the log. What it leaves behind is right or is not there.
package fetch
