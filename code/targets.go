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
	dartHTTP,
	goNetHTTP,
	javascriptFetch,
	k6,
	nodeAxios,
	nodeGot,
	nodeHTTP,
	nodeUndici,
	phpCurl,
	playwright,
	pythonAiohttp,
	pythonHTTP,
	pythonHTTPX,
	pythonRequests,
	pythonUrllib,
	rubyNetHTTP,
	rustReqwest,
	rustUreq,
}
