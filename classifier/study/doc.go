// Package study makes a generation of classes of an archive: the whole of what the classifier's
// shell does with history, without the reading.
//
//	found := study.Classify(kept, now, known, seed)     // once a day, or when asked
//	names := study.Drifted(kept, now, known)            // once an hour
//
// Known is what counts of each tenant. A tenant that changed its ways is learnt from what it did
// since: the profile in force says from when on, see Known.Since.
//
// The package is pure.
package study
