//go:build !light

package main

import "uncoil/internal/service"

var serve = service.Serve
