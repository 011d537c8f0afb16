package uncoil_test

import (
	"errors"
	"fmt"

	"uncoil"
	"uncoil/diag"
)

func ExampleParse() {
	result, err := uncoil.Parse(`curl -u me:pw -H 'A: b' 'https://api.example.com/items?page=2'`, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range result.Requests {
		fmt.Println(r.Method, r.URL)
		for _, p := range r.Query {
			fmt.Printf("  %s is %s\n", p.Name, p.Value)
		}
		fmt.Println("  authenticates by", r.Auth.Scheme, "as", r.Auth.Username)
	}
	for _, w := range result.Warnings {
		fmt.Println(w.Code)
	}
	// Output:
	// GET https://api.example.com/items?page=2
	//   page is 2
	//   authenticates by basic as me
	// secret-on-command-line
}

// Several commands, URLs and ranges give several requests, in the order in
// which curl would send them.
func ExampleParse_several() {
	result, err := uncoil.Parse(`
curl -X DELETE https://api.example.com/items/[7-8]
curl --json '{"n":1}' https://api.example.com/items
`, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range result.Requests {
		fmt.Println(r.Method, r.URL)
	}
	// Output:
	// DELETE https://api.example.com/items/7
	// DELETE https://api.example.com/items/8
	// POST https://api.example.com/items
}

// What the command takes from elsewhere is passed in: nothing is read.
func ExampleParse_files() {
	command := `curl https://api.example.com/items -d @item.json -H "Authorization: Bearer $TOKEN"`
	result, err := uncoil.Parse(command, uncoil.Input{
		Files: map[string][]byte{"item.json": []byte("{\"name\": \"x\"}\n")},
		Env:   map[string]string{"TOKEN": "abc"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Requests[0].Body.Kind, result.Requests[0].Body.Data)

	// Without the file the request can be described, though not sent.
	result, err = uncoil.Parse(command, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Requests[0].Body.Kind, result.Requests[0].Body.Pieces[0].File)
	_, err = result.AppendConvert(nil)
	fmt.Println(err)
	// Output:
	// json {"name": "x"}
	// file item.json
	// 1:39: file-not-supplied: the body is in a file that was not supplied
}

func ExampleAppendConvert() {
	answer, err := uncoil.AppendConvert(nil, `curl -X PUT https://api.example.com/items/1 -H 'Content-Type: application/json' -d '{"price": 1.10}'`, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", answer)
	// Output:
	// {"method":"PUT","url":"https://api.example.com/items/1","headers":{"Content-Type":"application/json"},"data":{"price":1.10}}
}

func ExampleAppendParse() {
	answer, err := uncoil.AppendParse(nil, `curl --compressed https://api.example.com/`, uncoil.Input{Shell: "posix"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", answer)
	// Output:
	// {"shell":"posix","requests":[{"method":"GET","url":"https://api.example.com/","headers":[],"body":null,"options":{"compressed":true}}],"warnings":[]}
}

func ExampleError() {
	_, err := uncoil.Parse(`curl https://api.example.com/ --heder 'A: b'`, uncoil.Input{})
	fmt.Println(err)

	var e *uncoil.Error
	if errors.As(err, &e) && e.Code == diag.CodeUnknownOption {
		fmt.Println(e.Option, "at byte", e.Span.Start)
		fmt.Println(e.Hint)
	}
	// Output:
	// 1:31: unknown-option: curl has no option --heder
	// --heder at byte 30
	// did you mean --header?
}

func ExampleError_AppendReport() {
	_, err := uncoil.Parse("curl https://api.example.com/ \\\n  -H 'A: b", uncoil.Input{})
	var e *uncoil.Error
	if errors.As(err, &e) {
		fmt.Printf("%s", e.AppendReport(nil))
	}
	// Output:
	// 2:6: unterminated-quote: the single quote that opens here is never closed
	//   -H 'A: b
	//      ^
	// hint: add the closing quote
}

// QuoteArgs is for arguments that a shell has split already.
func ExampleQuoteArgs() {
	command := uncoil.QuoteArgs([]string{"curl", "https://api.example.com/?a=1&b=2", "-H", "A: it's"})
	fmt.Println(command)
	answer, err := uncoil.AppendConvert(nil, command, uncoil.Input{Shell: "posix"})
	fmt.Println(string(answer), err)
	// Output:
	// curl 'https://api.example.com/?a=1&b=2' -H 'A: it'\''s'
	// {"method":"GET","url":"https://api.example.com/?a=1&b=2","headers":{"A":"it's"},"data":null} <nil>
}
