package subjects

// Why a task is asked to end, as it finds in the file that LULL_STOP_REASON names.
const (
	StopCancel   = "cancel"   // its job was cancelled or has failed, or another attempt has done its work
	StopTimeout  = "timeout"  // it ran for as long as its stage allows
	StopEviction = "eviction" // the primary tenant, another job or the disk needs the room
	StopDrain    = "drain"    // its host leaves
)

// StopReason returns what a task is told when it is evicted for a reason, such as ReasonReserve.
func StopReason(reason string) string {
	switch reason {
	case ReasonRevoked:
		return StopCancel
	case ReasonPaused:
		return StopDrain
	}
	return StopEviction
}
