// Package spec is the job document: what people write, in YAML or JSON, and
// the canonical Job that the log keeps and every service reads.
//
//	bytes ──Parse──▶ Doc ──Substitute──▶ Doc ──Needs, Fill…──▶ Doc ──Job──▶ Job
//	                  │  ${NAME} in paths     globs and lines       │
//	                  │  (client)             become splits         │
//	                  └──────JSON: the document as it is sent◀──────┘
//
// Parse is strict: an unknown field, a wrong type or a repeated key is an
// error with line, column and caret. Whatever knows files stays with the
// client, between Needs and Fill; this package touches none. What a client
// sends is the same document with its inputs replaced by splits, so that any
// NATS client can write one. Job resolves names to indices, fills defaults and
// adds the stage that publishes the output.
//
// Validate checks a Job from anywhere, since the log too is only bytes.
//
// # Lines
//
// Large files are cut by their size alone, without reading them, so a cut may fall within a line. A
// reader of a Range aligns it. A range that begins after byte 0 skips to the first line that begins
// within it, found by a line end from Offset−1 on. A range that ends before the end of the file
// reads on to the end of its last line. So each line is read exactly once, by the range that has
// its first byte.
package spec
