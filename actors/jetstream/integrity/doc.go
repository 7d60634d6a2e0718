// Package integrity checks the store of an embedded NATS server before the
// server opens it, because the server repairs silently: it cuts a block of
// messages off at the first damaged one, gives the sequences behind it out
// again, and passes over a stream whose meta data do not match their checksum.
//
//	report, err := integrity.Check(integrity.Config{Store: dir, Mark: file})
//
// What is known elsewhere is used against that:
//
//   - Each message carries a checksum of 64 bits. One damaged byte is found by
//     trying all of them, and put right.
//   - The mark, a file beside the store, holds each stream's meta data and the
//     last sequence that was seen (Mark). It is a lower bound while the server
//     runs and exact after an orderly stop.
//   - The snapshots of the services that decide name the entry they were made
//     at. What they hold may be missing in the log.
//
// What is lost and not known elsewhere is a *LossError: which file, which sequences,
// since when. Check changes nothing then, unless Config.Repair allows it to go
// on without them. A lost sequence is never given out again: an entry Voided
// stands where it was, and new ones follow behind all that can have existed.
//
// The layout of blocks and meta data is that of nats-server 2.10 to 2.15
// (server/filestore.go); TestTheServersOwnBlocks reads what the server of this
// module writes. Compressed and encrypted blocks are left to the server.
package integrity
