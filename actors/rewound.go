package actors

import "time"

// Rewound reports whether an actor's time, in Unix nanoseconds, goes back so far that
// it was wrong before. Times that the actor noted meanwhile may be far in the future:
// it drops them.
func Rewound(before, now int64) bool { return now < before-int64(time.Minute) }
