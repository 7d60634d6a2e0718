// Package integrity checks the store of an embedded NATS server before the server opens it, because
// the server repairs silently. It truncates a block at the first damaged message, and gives the
// sequences after it out again. It ignores a stream whose meta data do not match their checksum.
//
//	report, err := integrity.Check(integrity.Config{Store: dir, Mark: file})
//
// Check uses three sources to detect and repair damage:
//
//   - Each message carries a checksum of 64 bits. One damaged byte is found by
//     trying every value of every byte, and corrected.
//   - The mark, a file beside the store, holds each stream's meta data and last
//     sequence (Mark). It is a lower bound while the server runs and exact after
//     an orderly stop.
//   - The snapshots of admission and slotter name the log entry they were made
//     at. Entries up to there may be missing in the log.
//
// Any other loss is a *LossError with the file, the sequences and the time. Check then changes
// nothing, unless Config.Repair is set. After a repair the server never gives a lost sequence out
// again: a Voided entry replaces the lost ones, and new entries follow after the highest sequence
// that can have existed.
//
// The layout of blocks and meta data is that of nats-server 2.10 to 2.15
// (server/filestore.go); TestTheServersOwnBlocks reads what the server of this
// module writes. Compressed and encrypted blocks are left to the server.
package integrity
