// Package kubernetes holds no code: its test decodes uncoil.yaml strictly,
// with the types of Kubernetes. It is a module of its own, so that the program
// does not depend on these.
package kubernetes
