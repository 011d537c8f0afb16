package ruby

// openJar writes what makes the jar of several requests, at the first of them. Net::HTTP
// has none; the gem http-cookie does what RFC 6265 asks for. hidden says that there is no
// URI, which it needs.
func (r *rubyRequest) openJar(hidden bool) {
	jar := r.c.Jar()
	if jar == nil {
		return
	}
	r.jar = jar.Named("jar")
	if hidden {
		r.p.Refuse("keeps no cookies of such a URL")
	}
	if !r.c.Opens() {
		return
	}
	r.p.Use("http/cookie")
	r.p.Line(r.jar, " = HTTP::CookieJar.new")
	for _, name := range r.c.CookieFiles() {
		file := r.text(name)
		r.p.Line(r.jar, ".load(", file, ", :cookiestxt) if File.exist?(", file, ")")
	}
}

// repeats reports whether the program may send the request again, or one that follows it.
func (r *rubyRequest) repeats() bool { return r.again || r.c.Retries() > 0 }

// cookieLine writes the statement that adds the cookies of the jar to the request.
func (r *rubyRequest) cookieLine() {
	if r.jar == "" || r.c.Opens() && !r.repeats() && len(r.c.CookieFiles()) == 0 {
		return
	}
	r.p.Line("request['Cookie'] = HTTP::Cookie.cookie_value(", r.jar, ".cookies(uri)) unless ", r.jar, ".empty?(uri)")
}

// keepCookies writes the statement that puts the cookies of the response in the jar.
func (r *rubyRequest) keepCookies() {
	if r.jar != "" && (!r.c.Closes() || r.repeats() || len(r.c.CookieJar()) > 0) { // else nobody reads them
		r.p.Line("response.get_fields('Set-Cookie')&.each { |cookie| ", r.jar, ".parse(cookie, uri) }")
	}
}

// saveJar writes the statement that writes the cookies of the jar to a file.
func (r *rubyRequest) saveJar() {
	if r.jar != "" && len(r.c.CookieJar()) > 0 {
		r.p.Line(r.jar, ".save(", r.text(r.c.CookieJar()), ", format: :cookiestxt, session: true)")
	}
}
