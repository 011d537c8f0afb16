//go:build !nocode

package code

// targets has all targets, by name.
var targets = []Target{
	cLibcurl,
	cppLibcurl,
	csharpHTTPClient,
	curlPOSIX,
	curlCmd,
	curlConfig,
	curlFish,
	curlPowerShell,
	goNetHTTP,
	javascriptFetch,
	nodeAxios,
	nodeHTTP,
	phpCurl,
	pythonRequests,
	rubyNetHTTP,
	rustReqwest,
	rustUreq,
}
