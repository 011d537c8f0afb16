package ruby

import (
	"uncoil/code/internal/emit"
	"uncoil/code/internal/plan"
)

// streamed reports whether the program writes the content as it comes, in the block of the
// one exchange that there is.
func (r *rubyRequest) streamed() bool {
	asked := r.c.Destination(r.p.Options) == plan.ToFile || r.c.Streams(r.p.Options)
	return asked && !r.c.Follow() && r.c.Retries() == 0 && r.c.Digest == nil
}

// sendStreamed writes the exchange, and what is done with the response within it.
func (r *rubyRequest) sendStreamed(arguments []emit.Node) {
	exchange := func() {
		r.p.Node("", emit.Group("Net::HTTP.start", "(", arguments, ")"), " do |http|")
		r.p.Level++
		r.p.Block("http.request(request) do |response|", func() {
			r.keepCookies()
			r.saveJar()
			r.result()
		})
		r.p.Line("end")
		r.p.Level--
		r.p.Line("end")
	}
	if r.c.Timeout() == 0 {
		exchange()
		return
	}
	r.p.Use("timeout")
	r.p.Block("Timeout.timeout("+emit.Seconds(r.c.Timeout())+") do", exchange)
	r.p.Line("end")
}

// readBody writes the statements that write the content as it comes.
func (r *rubyRequest) readBody(headers string) {
	if r.c.Destination(r.p.Options) == plan.ToFile {
		mode := "wb"
		if r.nameOutput(headers) {
			mode = "wbx"
		}
		r.makeFolder()
		r.p.Block("File.open("+r.text(r.c.Output())+", '"+mode+"') do |output|", func() {
			r.p.Line("response.read_body { |chunk| output << chunk }")
			r.whole("output.size")
		})
		r.p.Line("end")
		return
	}
	if r.p.IsFunction() {
		r.p.InPieces = true
		r.p.Line("response.read_body { |chunk| yield chunk }")
		return
	}
	r.p.Block("response.read_body do |chunk|", func() {
		r.p.Line("print chunk")
		r.p.Line("$stdout.flush")
	})
	r.p.Line("end")
}

// nameOutput writes the statement that takes the name of the file from the response, where
// the command asks for that.
func (r *rubyRequest) nameOutput(headers string) bool {
	named := r.c.NamedByResponse()
	if named {
		if headers == "response.to_hash" {
			headers = "response" // to_hash has lists
		}
		r.p.Line("filename = %r{", plan.FilenamePattern, "}i")
		r.p.Line("output_name = ", headers, "['Content-Disposition'].to_s[filename, 1] || ", r.text(r.c.NameOutput("output_name")))
	}
	return named
}
