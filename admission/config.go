package admission

import "lull/admission/facts"

// Config says how a pool's jobs are admitted. The zero value is ready.
type Config = facts.Config

// Modes are all values of Config.Mode, the default first.
func Modes() []string { return facts.Modes() }
