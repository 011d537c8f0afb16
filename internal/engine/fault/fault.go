// Package fault makes errors of panics. A panic at or below the facade is a
// fault of uncoil: it must end neither the program that asks nor the service.
package fault

import (
	"errors"
	"reflect"
	"runtime"

	"uncoil/diag"
)

// A Fault is a panic that was recovered. Of the panic's value it keeps only
// what cannot hold text of a command.
type Fault struct {
	What  string // an error of the runtime, such as an index out of range, or the type of any other value
	Stack string
}

// New returns the fault of a panic with the value. The deferred function that
// recovers calls it, because the stack is that of the panic only there.
func New(value any) *Fault {
	f := &Fault{Stack: stack()}
	if err, ok := value.(runtime.Error); ok {
		f.What = err.Error()
	} else {
		f.What = reflect.TypeOf(value).String()
	}
	return f
}

// Of returns the fault behind an error, or nil.
func Of(err error) *Fault {
	f, _ := errors.AsType[*Fault](err)
	return f
}

// What all faults say.
const (
	message = "a fault in uncoil prevents an answer"
	hint    = "please report it with a command that shows it, without its secrets"
)

// Error returns what all faults say.
func (f *Fault) Error() string { return message + "; " + hint }

// Diagnostic returns the error as a diagnostic.
func (f *Fault) Diagnostic() diag.Diagnostic {
	return diag.Diagnostic{Code: diag.CodeInternal, Severity: diag.SeverityError, Message: message, Hint: hint, Cause: f}
}

// Recover turns a panic into an error, a *Fault. It must be deferred itself.
func Recover(err *error) {
	if value := recover(); value != nil {
		*err = New(value)
	}
}

// stack returns the stack of the goroutine.
func stack() string {
	for b := make([]byte, 4<<10); ; b = make([]byte, 2*len(b)) {
		if n := runtime.Stack(b, false); n < len(b) {
			return string(b[:n])
		}
	}
}
