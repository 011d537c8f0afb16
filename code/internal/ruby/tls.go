package ruby

// certificate returns the expressions for the client's certificate and its key. OpenSSL
// finds out whether a file is PEM or DER.
func (r *rubyRequest) certificate() (certificate, key string) {
	end := ")"
	if phrase := r.c.KeyPassword(); len(phrase) > 0 {
		end = ", " + r.text(phrase) + ")"
	}
	if r.c.Archive() {
		archive := "archive"
		r.p.Line(archive, " = OpenSSL::PKCS12.new(File.binread(", r.text(r.c.Cert()), ")", end)
		return archive + ".certificate", archive + ".key"
	}
	read := func(form string) string {
		if form == "DER" {
			return "File.binread("
		}
		return "File.read("
	}
	return "OpenSSL::X509::Certificate.new(" + read(r.c.CertType("PEM", "DER")) + r.text(r.c.Cert()) + "))",
		"OpenSSL::PKey.read(" + read(r.c.KeyType("PEM", "DER")) + r.text(r.c.CertKey()) + ")" + end
}
