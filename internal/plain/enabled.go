//go:build !js

package plain

// enabled is false for the engine in the browser, where what must be loaded
// counts for more than microseconds.
const enabled = true
