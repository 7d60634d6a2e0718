// Package kept maintains the outputs that a host keeps for later stages, and for people.
//
//	keeper, err := kept.New(config)
//	go keeper.Run(ctx)        // compares the disk with what the slotter counts on
//	keeper.Missed()           // a reader did not find an output
//	keeper.Doubt(attempt)     // a reader found an output's bytes wrong
//
// # Missing outputs
//
// An output may vanish from a live host: by a clean-up job, by hand, or with another disk under the
// data folder. The host would then refuse readers for ever. So the keeper compares its disk with
// the outputs that the slotter counts on, once after the host has joined and again after each call
// of Missed. A reader's request alone proves nothing: it may ask for anything.
//
// # Damaged outputs
//
// An output may be damaged on its disk: by a bad sector, or by a person who writes to it. A reader
// that got a wrong copy twice reports it to the host that keeps the output, and so do this host's
// own reads. That alone proves nothing either. The keeper compares the output's bytes with its
// manifest, and only if they are wrong moves its folder aside. From then on the output is missing.
//
// # Outputs that are no longer needed
//
// Every ten minutes the keeper asks the slotter which jobs are still wanted, and removes the
// folders of the others. Without an answer all stay.
//
// Locks: the lock of doubts is a leaf, and no function of Config is called while it is held.
package kept
