//go:build !linux

package sandbox

// Enter does nothing here.
func Enter(folders ...string) (State, error) { return State{}, ErrUnsupported }
