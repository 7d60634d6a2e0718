// Package stdin gives the standard input of `lull run -- COMMAND` to the command's task.
//
//	in, err := stdin.Of(os.Stdin, dataFolder)
//	path, err := in.Open(in.Name(), attempt)   // what the attempt's stdin is opened from
//	err = in.Close()
//
// An attempt reads a file itself. Everything else passes through a pipe, as it comes:
//
//	stdin ──pump──▶ file without a name ──feed──▶ pipe ──▶ attempt
//
// The pump reads little more than the attempt has taken. What it has read is kept on disk until Close,
// so that an attempt after an eviction begins with the first byte again. Where the disk has no room, only the
// bytes that the attempt has not taken are kept, and a further attempt is refused.
package stdin
