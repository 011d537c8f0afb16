package cli

// nonblock does nothing: Node opens files as they are.
const nonblock = 0
