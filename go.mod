module uncoil

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)
