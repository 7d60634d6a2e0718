package contain

import "fmt"

// Mode is how tasks are contained.
type Mode string

const (
	// Full is all there is: the fence, a user of their own, and Basic.
	Full Mode = "full"
	// Basic is no_new_privs: what tasks start gains no rights, by setuid or
	// file capabilities. They write wherever the agent may.
	Basic Mode = "basic"
	// Off leaves tasks the rights of the agent, and ways to get more.
	Off Mode = "off"
)

// ParseMode reads a mode; "" is Full.
func ParseMode(text string) (Mode, error) {
	switch m := Mode(text); m {
	case "":
		return Full, nil
	case Full, Basic, Off:
		return m, nil
	}
	return "", fmt.Errorf("containment %q: use full, basic or off", text)
}
