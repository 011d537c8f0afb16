// Package readers lets uncoil read requests in forms that few programs need, such as
// collections of Postman and commands of HTTPie. A program that imports it for that alone
// writes
//
//	import _ "uncoil/readers"
//
// and uncoil.Parse and uncoil.Convert then know the forms. The program uncoil has
// them all.
package readers

import (
	"uncoil/diag"
	"uncoil/internal/engine/source"
	"uncoil/internal/engine/source/httpfile"
	"uncoil/internal/engine/source/httpie"
	"uncoil/internal/engine/source/postman"
)

func init() {
	source.Register(source.HTTPFile, source.Form{Is: httpfile.Is, What: "an .http file", Read: httpfile.Read, HasEntries: true, Beside: true})
	source.Register(source.Postman, source.Form{Is: postman.Is, What: "a collection of Postman", Read: postman.Read, HasEntries: true})
	source.RegisterProgram(source.OtherProgram{Is: httpie.Is, What: "a command of HTTPie", Read: httpie.Read, Syntax: diag.CodeInvalidHTTPie})
}
