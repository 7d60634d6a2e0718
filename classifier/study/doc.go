// Package study makes a generation of classes of an archive: the whole of what the classifier's
// shell does with history, without the reading.
//
//	found, err := study.Classify(kept, now, known, seed)          // once a day, or when asked
//	changed, err := study.Drifted(kept, now, known.Profiles)      // once an hour
//
// Known is what the log says of each tenant. A tenant that has drifted is learnt only from its samples
// since then: its profile keeps that time (profile.Profile.Since).
//
// The package is pure.
package study
