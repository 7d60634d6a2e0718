// Package record keeps the samples of what this host's primary used on the host's own disk, and
// sends them to the pool. It waits for nothing: samples are taken while the server is away, and
// sent when it is back.
//
// Samples are appended to a journal for each UTC day in a folder of the agent. An entry is a
// block of one sample with its length and checksum. A process that is killed loses the step
// that is not over yet, two minutes at most. A torn or damaged end of a journal is cut off.
// Journals of the last eight days stay, so a week without the server loses nothing.
//
//	monitor ──sample──▶ Put ──▶ journal of the day ──each hour──▶ bus.PutHistory
//
// Each hour, at a moment that follows from the host's name, the whole block of each day that has
// new samples goes out again and replaces what stands. After a failure the keeper tries again
// every five minutes.
package record
