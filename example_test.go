package uncoil_test

import (
	"encoding/json"
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
	_, err = result.Members()
	fmt.Println(err)
	// Output:
	// json {"name": "x"}
	// file item.json
	// 1:39: file-not-supplied: the body is in a file that was not supplied
}

// Members marshal to what POST /api/convert answers.
func ExampleMembers_MarshalJSON() {
	m, err := uncoil.Convert(`curl -X PUT https://api.example.com/items/1 -H 'Content-Type: application/json' -d '{"price": 1.10}'`, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := m.MarshalJSON() // json.Marshal would escape & and < as HTML needs it
	fmt.Println(string(answer), err)
	// Output:
	// {"method":"PUT","url":"https://api.example.com/items/1","headers":{"Content-Type":"application/json"},"data":{"price":1.10}} <nil>
}

// The members of each request of several.
func ExampleNewMembers() {
	result, err := uncoil.Parse(`curl 'https://api.example.com/items/[7-8]'`, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range result.Requests {
		m, err := uncoil.NewMembers(&result.Requests[i])
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(m.Method, m.URL)
	}
	// Output:
	// GET https://api.example.com/items/7
	// GET https://api.example.com/items/8
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

// Convert is for a client that sends the request itself.
func ExampleConvert() {
	m, err := uncoil.Convert(`curl -X PATCH https://api.example.com/items/1 -H 'If-Match: "v1"' --json '{"price": 1.10}'`, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Method, m.URL)
	for _, h := range m.Headers {
		fmt.Printf("%s: %s\n", h.Name, h.Value)
	}
	// Data is JSON text; the digits are those of the command.
	var item struct{ Price json.Number }
	if err := json.Unmarshal(m.Data, &item); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("the price is", item.Price)

	_, err = uncoil.Convert(`curl https://api.example.com/items/[1-3]`, uncoil.Input{})
	var e *uncoil.Error
	if errors.As(err, &e) && e.Code == diag.CodeMultipleRequests {
		fmt.Println(e.Count, "requests: use Parse")
	}
	// Output:
	// PATCH https://api.example.com/items/1
	// If-Match: "v1"
	// Content-Type: application/json
	// Accept: application/json
	// the price is 1.10
	// 3 requests: use Parse
}

// ParseArgs is for arguments that a shell has split already, such as those of
// a program.
func ExampleParseArgs() {
	args := []string{"curl", "-sS", "-u", "ann:it's", "https://api.example.com/?a=1&b=$2"}
	result, err := uncoil.ParseArgs(args, uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := &result.Requests[0]
	fmt.Println(r.Method, r.URL, r.Auth.Username, r.Auth.Password)

	_, err = uncoil.ParseArgs([]string{"curl", "https://example.com", "--heder", "A: b"}, uncoil.Input{})
	fmt.Println(err)
	var e *uncoil.Error
	if errors.As(err, &e) {
		fmt.Println(e.Arg, e.Hint)
	}
	// Output:
	// GET https://api.example.com/?a=1&b=$2 ann it's
	// argument 3: unknown-option: curl has no option --heder
	// 3 did you mean --header?
}

// The zero Input is enough, and a Result marshals to the full description.
func ExampleResult_MarshalJSON() {
	result, err := uncoil.Parse("curl -L https://example.com/", uncoil.Input{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := json.Marshal(result)
	fmt.Println(string(text), err)
	// Output:
	// {"shell":"posix","requests":[{"method":"GET","url":"https://example.com/","headers":[],"body":null,"options":{"followRedirects":true}}],"warnings":[]} <nil>
}

// QuoteArgs is for arguments that a shell has split already.
func ExampleQuoteArgs() {
	command := uncoil.QuoteArgs([]string{"curl", "https://api.example.com/?a=1&b=2", "-H", "A: it's"})
	fmt.Println(command)
	m, err := uncoil.Convert(command, uncoil.Input{Shell: "posix"})
	fmt.Println(m.URL, m.Headers, err)
	// Output:
	// curl 'https://api.example.com/?a=1&b=2' -H 'A: it'\''s'
	// https://api.example.com/?a=1&b=2 [{A it's}] <nil>
}
