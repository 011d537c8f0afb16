package httpapi

import "uncoil/internal/engine/jsontext"

// curlVersion is the curl whose requests are those of the answers.
const curlVersion = "8.22.0"

// version is the answer to GET /version.
func version(program string) document {
	o := jsontext.NewObject(nil)
	o.String("version", program)
	o.String("curl", curlVersion)
	return document{contentType: typeJSON, api: true, body: o.End()}.tagged()
}
