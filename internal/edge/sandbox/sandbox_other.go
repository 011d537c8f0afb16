//go:build !linux

package sandbox

// Enter does nothing here.
func Enter(paths ...string) (State, error) { return State{}, ErrUnsupported }
