// Package agentpath names what a host's agent serves over HTTP: the agents' server and all
// that ask them use it. The patterns are those of net/http's ServeMux.
package agentpath

import (
	"fmt"
	"net/url"
	"strings"
)

// Patterns of what agents serve to a GET with a ticket.
const (
	// ManifestPattern is the manifest of what an attempt committed.
	ManifestPattern = "/v1/attempts/{id}/manifest"
	// FilePattern is one file of it; ranges are allowed.
	FilePattern = "/v1/attempts/{id}/files/{path...}"
	// PartsPattern is the same file of several attempts, one after the other.
	PartsPattern = "/v1/parts/{path...}"
	// LogPattern is what an attempt wrote to one of its streams.
	LogPattern = "/v1/attempts/{id}/{log}"
	// TaskLogPattern is the path of a log of a task's latest attempt on this host.
	TaskLogPattern = "/v1/tasks/{job}/{stage}/{task}/{log}"
	// ProbePattern is bytes to measure a network by, ProbeOfPattern what such bytes of another host show.
	ProbePattern   = Probe
	ProbeOfPattern = Probe + "/{host}"
)

// Streams of an attempt.
const (
	Stdout = "stdout"
	Stderr = "stderr"
)

// LogCut is the trailer, behind a log, of how many more bytes the attempt wrote: the host kept none of them.
const LogCut = "Lull-Log-Cut"

// LogWhole is a header of a log that has the attempt's bytes alone and never changes: a reader may ask again for
// what follows. Hosts of earlier releases put a mark into logs, and do not send it.
const LogWhole = "Lull-Log-Whole"

// Keys of queries.
const (
	// Damaged says, asking for a manifest, that the output's bytes are wrong.
	Damaged = "damaged"
	// Attempts lists the attempts of parts, separated by commas.
	Attempts = "attempts"
	// Data asks for what is not in the holes of a file that its manifest lists with holes.
	Data = "data"
	// Follow streams a log until its attempt ends.
	Follow = "follow"
)

// Probe is the path of bytes to measure a network by.
const Probe = "/v1/probe"

// ProbeOf is the path of what a probe of another host shows.
func ProbeOf(host string) string { return Probe + "/" + escape(host) }

// Manifest is the path of an attempt's manifest.
func Manifest(attempt uint64) string { return fmt.Sprintf("/v1/attempts/%d/manifest", attempt) }

// DamagedManifest is the path that says that an attempt's output is damaged.
func DamagedManifest(attempt uint64) string { return Manifest(attempt) + "?" + Damaged + "=1" }

// File is the path of a file in an attempt's output.
func File(attempt uint64, path string) string {
	return fmt.Sprintf("/v1/attempts/%d/files/%s", attempt, escape(path))
}

// DataOf is the path of what is not in the holes of a file.
func DataOf(attempt uint64, path string) string { return File(attempt, path) + "?" + Data + "=1" }

// Parts is the path of the same file in several attempts' outputs.
func Parts(path string, attempts []uint64) string {
	ids := make([]string, len(attempts))
	for i, id := range attempts {
		ids[i] = fmt.Sprint(id)
	}
	return "/v1/parts/" + escape(path) + "?" + Attempts + "=" + strings.Join(ids, ",")
}

// Log is the path of an attempt's stream; with follow it goes on until the attempt ends.
func Log(attempt uint64, stream string, follow bool) string {
	path := fmt.Sprintf("/v1/attempts/%d/%s", attempt, stream)
	if follow {
		path += "?" + Follow + "=1"
	}
	return path
}

// escape escapes a slash-separated path, its parts one by one.
func escape(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}
