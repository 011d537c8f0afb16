package plain

const enabled = false
