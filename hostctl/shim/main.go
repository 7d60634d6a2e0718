package shim

// Main is the shim's program: it serves one slot until it is told to quit or
// has been idle for long enough, and returns the exit status. The arguments
// are those that Launch appends to Config.Command.
func Main(args []string) int { return 1 }
