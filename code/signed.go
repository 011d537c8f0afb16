package code

import "strings"

// A signature is what AWS Signature Version 4 is made with.
type signature struct {
	key, secret     text
	region, service text
}

// signature returns what --aws-sigv4 signs with, and false where it is not Amazon's own
// provider, or where curl would refuse the host: Curl_output_aws_sigv4() in curl 8.22
// lib/http_aws_sigv4.c. Without a region or a service curl takes them from the host,
// service.region.amazonaws.com.
func (c *call) signature() (s signature, ok bool) {
	if c.Auth == nil || c.Auth.Scheme != "aws-sigv4" || c.negotiated == nil {
		return s, false
	}
	parameters := map[string]text{}
	for i, p := range c.Auth.Params {
		parameters[p.Name] = c.text(p.Value, c.at("auth.params.", i, ""))
	}
	first, _ := parameters["provider"].plain()
	second, given := parameters["provider2"].plain()
	if !strings.EqualFold(first, "aws") || !given || !strings.EqualFold(second, "amz") {
		return s, false
	}
	s = signature{c.negotiated.user, c.negotiated.password, parameters["region"], parameters["service"]}
	if len(s.region) > 0 && len(s.service) > 0 {
		return s, true
	}
	url, known := c.address()
	host, plain := url.host.plain()
	if !known || !plain {
		return s, false
	}
	service, rest, _ := strings.Cut(host, ".")
	region, _, _ := strings.Cut(rest, ".")
	if len(s.service) == 0 {
		s.service = literal(service)
	}
	if len(s.region) == 0 {
		s.region = literal(region)
	}
	return s, service != "" && region != ""
}

// refuseSignature makes an error of --aws-sigv4 with parameters that tools for Amazon's
// signature have no place for.
func (p *program) refuseSignature(c *call) {
	if _, ok := c.signature(); !ok && c.Auth != nil && c.Auth.Scheme == "aws-sigv4" {
		p.refuseAt(c.Auth.Span, "signs for aws:amz with a region and a service only")
	}
}

// ntlm returns the credentials of --ntlm with the domain that curl finds before a
// backslash or a slash: Curl_auth_create_ntlm_type3_message() in curl 8.22
// lib/vauth/ntlm.c.
func (c *call) ntlm() (domain text, who *credentials) {
	if c.Auth == nil || c.Auth.Scheme != "ntlm" || c.negotiated == nil {
		return nil, nil
	}
	user := c.negotiated.user
	if i := strings.IndexAny(user.source(), `\/`); i >= 0 && !hasVariable(user) {
		whole := user.source()
		return literal(whole[:i]), &credentials{user: literal(whole[i+1:]), password: c.negotiated.password}
	}
	return nil, c.negotiated
}
