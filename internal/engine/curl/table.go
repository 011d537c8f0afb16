package curl

// The identifiers of curl's options follow its long names mechanically:
// --data-urlencode is OptDataUrlencode.
const (
	OptAbstractUnixSocket OptionID = iota
	OptAlpn
	OptAltSvc
	OptAnyauth
	OptAppend
	OptAwsSigv4
	OptBasic
	OptBuffer
	OptCaNative
	OptCacert
	OptCapath
	OptCert
	OptCertStatus
	OptCertType
	OptCiphers
	OptClobber
	OptCompressed
	OptCompressedSsh
	OptConfig
	OptConnectTimeout
	OptConnectTo
	OptContinueAt
	OptCookie
	OptCookieJar
	OptCreateDirs
	OptCreateFileMode
	OptCrlf
	OptCrlfile
	OptCurves
	OptData
	OptDataAscii
	OptDataBinary
	OptDataRaw
	OptDataUrlencode
	OptDelegation
	OptDigest
	OptDisable
	OptDisableEprt
	OptDisableEpsv
	OptDisallowUsernameInUrl
	OptDnsInterface
	OptDnsIpv4Addr
	OptDnsIpv6Addr
	OptDnsServers
	OptDohCertStatus
	OptDohInsecure
	OptDohUrl
	OptDumpCaEmbed
	OptDumpHeader
	OptEch
	OptEgdFile
	OptEngine
	OptEprt
	OptEpsv
	OptEtagCompare
	OptEtagSave
	OptExpect100Timeout
	OptFail
	OptFailEarly
	OptFailWithBody
	OptFalseStart
	OptFollow
	OptForm
	OptFormEscape
	OptFormString
	OptFtpAccount
	OptFtpAlternativeToUser
	OptFtpCreateDirs
	OptFtpMethod
	OptFtpPasv
	OptFtpPort
	OptFtpPret
	OptFtpSkipPasvIp
	OptFtpSsl
	OptFtpSslCcc
	OptFtpSslCccMode
	OptFtpSslControl
	OptFtpSslReqd
	OptGet
	OptGloboff
	OptHappyEyeballsTimeoutMs
	OptHaproxyClientip
	OptHaproxyProtocol
	OptHead
	OptHeader
	OptHelp
	OptHostpubmd5
	OptHostpubsha256
	OptHsts
	OptHttp0_9
	OptHttp1_0
	OptHttp1_1
	OptHttp2
	OptHttp2PriorKnowledge
	OptHttp3
	OptHttp3Only
	OptHttpsigAlgo
	OptHttpsigHeaders
	OptHttpsigKey
	OptHttpsigKeyid
	OptIgnoreContentLength
	OptInclude
	OptInsecure
	OptInterface
	OptIpTos
	OptIpfsGateway
	OptIpv4
	OptIpv6
	OptJson
	OptJunkSessionCookies
	OptKeepalive
	OptKeepaliveCnt
	OptKeepaliveTime
	OptKey
	OptKeyType
	OptKnownhosts
	OptKrb
	OptKrb4
	OptLibcurl
	OptLimitRate
	OptListOnly
	OptLocalPort
	OptLocation
	OptLocationTrusted
	OptLoginOptions
	OptMailAuth
	OptMailFrom
	OptMailRcpt
	OptMailRcptAllowfails
	OptManual
	OptMaxFilesize
	OptMaxRedirs
	OptMaxTime
	OptMetalink
	OptMptcp
	OptNegotiate
	OptNetrc
	OptNetrcFile
	OptNetrcOptional
	OptNext
	OptNoproxy
	OptNpn
	OptNtlm
	OptNtlmWb
	OptOauth2Bearer
	OptOutNull
	OptOutput
	OptOutputDir
	OptParallel
	OptParallelImmediate
	OptParallelMax
	OptParallelMaxHost
	OptPass
	OptPathAsIs
	OptPinnedpubkey
	OptPost301
	OptPost302
	OptPost303
	OptPreproxy
	OptProgressBar
	OptProgressMeter
	OptProto
	OptProtoDefault
	OptProtoRedir
	OptProxy
	OptProxyAnyauth
	OptProxyBasic
	OptProxyCaNative
	OptProxyCacert
	OptProxyCapath
	OptProxyCert
	OptProxyCertType
	OptProxyCiphers
	OptProxyCrlfile
	OptProxyDigest
	OptProxyHeader
	OptProxyHttp2
	OptProxyHttp3
	OptProxyInsecure
	OptProxyKey
	OptProxyKeyType
	OptProxyNegotiate
	OptProxyNtlm
	OptProxyPass
	OptProxyPinnedpubkey
	OptProxyServiceName
	OptProxySslAllowBeast
	OptProxySslAutoClientCert
	OptProxyTls13Ciphers
	OptProxyTlsauthtype
	OptProxyTlspassword
	OptProxyTlsuser
	OptProxyTlsv1
	OptProxyUser
	OptProxy1_0
	OptProxytunnel
	OptPubkey
	OptQuote
	OptRandomFile
	OptRange
	OptRate
	OptRaw
	OptReferer
	OptRemoteHeaderName
	OptRemoteName
	OptRemoteNameAll
	OptRemoteTime
	OptRemoveOnError
	OptRequest
	OptRequestTarget
	OptResolve
	OptRetry
	OptRetryAllErrors
	OptRetryConnrefused
	OptRetryDelay
	OptRetryMaxTime
	OptSaslAuthzid
	OptSaslIr
	OptServiceName
	OptSessionid
	OptShowError
	OptShowHeaders
	OptSigalgs
	OptSilent
	OptSkipExisting
	OptSocks4
	OptSocks4a
	OptSocks5
	OptSocks5Basic
	OptSocks5Gssapi
	OptSocks5GssapiNec
	OptSocks5GssapiService
	OptSocks5Hostname
	OptSpeedLimit
	OptSpeedTime
	OptSsl
	OptSslAllowBeast
	OptSslAutoClientCert
	OptSslNoRevoke
	OptSslReqd
	OptSslRevokeBestEffort
	OptSslSessions
	OptSslv2
	OptSslv3
	OptStderr
	OptStyledOutput
	OptSuppressConnectHeaders
	OptTcpFastopen
	OptTcpNodelay
	OptTelnetOption
	OptTestDuphandle
	OptTestEvent
	OptTftpBlksize
	OptTftpNoOptions
	OptTimeCond
	OptTlsEarlydata
	OptTlsMax
	OptTls13Ciphers
	OptTlsauthtype
	OptTlspassword
	OptTlsuser
	OptTlsv1
	OptTlsv1_0
	OptTlsv1_1
	OptTlsv1_2
	OptTlsv1_3
	OptTrEncoding
	OptTrace
	OptTraceAscii
	OptTraceConfig
	OptTraceIds
	OptTraceTime
	OptUnixSocket
	OptUploadFile
	OptUploadFlags
	OptUrl
	OptUrlQuery
	OptUseAscii
	OptUser
	OptUserAgent
	OptVariable
	OptVerbose
	OptVersion
	OptVlanPriority
	OptWdebug
	OptWriteOut
	OptXattr

	optionCount
)

// table holds every long option of curl 8.22 in alphabetical order: one row
// an option, so that the row of an OptionID is its index.
//
// The facts (name, letter, kind of argument, flags) are those of aliases[] in
// curl 8.22 src/tool_getparam.c. The last three columns are ours: where the
// option shows in the answer, under which member, and what it sets or why it
// has no bearing.
var table = [optionCount]Option{
	{OptAbstractUnixSocket, "abstract-unix-socket", 0, ArgFile, 0, InStringOption, "abstractUnixSocket", ""},
	{OptAlpn, "alpn", 0, ArgBool, FlagNo, InBoolOption, "alpn", ""},
	{OptAltSvc, "alt-svc", 0, ArgString, FlagBlank, InStringOption, "altSvc", ""},
	{OptAnyauth, "anyauth", 0, ArgNone, 0, InRequest, "", "auth"},
	{OptAppend, "append", 'a', ArgBool, 0, Ignored, "", "only for FTP and SFTP"},
	{OptAwsSigv4, "aws-sigv4", 0, ArgString, FlagBlank, InRequest, "", "auth"},
	{OptBasic, "basic", 0, ArgBool, 0, InRequest, "", "auth"},
	{OptBuffer, "buffer", 'N', ArgBool, FlagNo, Ignored, "", "how curl writes its output"},
	{OptCaNative, "ca-native", 0, ArgBool, 0, InBoolOption, "caNative", ""},
	{OptCacert, "cacert", 0, ArgFile, 0, InStringOption, "cacert", ""},
	{OptCapath, "capath", 0, ArgFile, 0, InStringOption, "capath", ""},
	{OptCert, "cert", 'E', ArgFile, FlagSecret, InStringOption, "cert", ""},
	{OptCertStatus, "cert-status", 0, ArgBool, 0, InBoolOption, "certStatus", ""},
	{OptCertType, "cert-type", 0, ArgString, 0, InStringOption, "certType", ""},
	{OptCiphers, "ciphers", 0, ArgString, 0, InStringOption, "ciphers", ""},
	{OptClobber, "clobber", 0, ArgBool, FlagNo, InBoolOption, "clobber", ""},
	{OptCompressed, "compressed", 0, ArgBool, 0, InBoolOption, "compressed", ""},
	{OptCompressedSsh, "compressed-ssh", 0, ArgBool, 0, Ignored, "", "only for SSH"},
	{OptConfig, "config", 'K', ArgFile, FlagBlank, InRequest, "", "reads more options"},
	{OptConnectTimeout, "connect-timeout", 0, ArgSeconds, 0, InSecondsOption, "connectTimeout", ""},
	{OptConnectTo, "connect-to", 0, ArgString, FlagBlank, InListOption, "connectTo", ""},
	{OptContinueAt, "continue-at", 'C', ArgString, FlagBlank, InRequest, "", "Range, Content-Range"},
	{OptCookie, "cookie", 'b', ArgString, FlagBlank, InRequest, "", "Cookie"},
	{OptCookieJar, "cookie-jar", 'c', ArgString, 0, InStringOption, "cookieJar", ""},
	{OptCreateDirs, "create-dirs", 0, ArgBool, 0, InBoolOption, "createDirs", ""},
	{OptCreateFileMode, "create-file-mode", 0, ArgString, FlagBlank, InStringOption, "createFileMode", ""},
	{OptCrlf, "crlf", 0, ArgBool, 0, InRequest, "", "line ends of the body"},
	{OptCrlfile, "crlfile", 0, ArgFile, 0, InStringOption, "crlfile", ""},
	{OptCurves, "curves", 0, ArgString, 0, InStringOption, "curves", ""},
	{OptData, "data", 'd', ArgString, FlagBlank, InRequest, "", "body"},
	{OptDataAscii, "data-ascii", 0, ArgString, FlagBlank, InRequest, "", "body"},
	{OptDataBinary, "data-binary", 0, ArgString, FlagBlank, InRequest, "", "body"},
	{OptDataRaw, "data-raw", 0, ArgString, FlagBlank, InRequest, "", "body"},
	{OptDataUrlencode, "data-urlencode", 0, ArgString, FlagBlank, InRequest, "", "body"},
	{OptDelegation, "delegation", 0, ArgString, FlagBlank, InStringOption, "delegation", ""},
	{OptDigest, "digest", 0, ArgBool, 0, InRequest, "", "auth"},
	{OptDisable, "disable", 'q', ArgBool, 0, Ignored, "", "whether curl reads its own configuration file"},
	{OptDisableEprt, "disable-eprt", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptDisableEpsv, "disable-epsv", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptDisallowUsernameInUrl, "disallow-username-in-url", 0, ArgBool, 0, InRequest, "", "refuses credentials in the URL"},
	{OptDnsInterface, "dns-interface", 0, ArgString, 0, InStringOption, "dnsInterface", ""},
	{OptDnsIpv4Addr, "dns-ipv4-addr", 0, ArgString, 0, InStringOption, "dnsIpv4Addr", ""},
	{OptDnsIpv6Addr, "dns-ipv6-addr", 0, ArgString, 0, InStringOption, "dnsIpv6Addr", ""},
	{OptDnsServers, "dns-servers", 0, ArgString, 0, InStringOption, "dnsServers", ""},
	{OptDohCertStatus, "doh-cert-status", 0, ArgBool, 0, InBoolOption, "dohCertStatus", ""},
	{OptDohInsecure, "doh-insecure", 0, ArgBool, 0, InBoolOption, "dohInsecure", ""},
	{OptDohUrl, "doh-url", 0, ArgString, FlagBlank, InStringOption, "dohUrl", ""},
	{OptDumpCaEmbed, "dump-ca-embed", 0, ArgNone, 0, Ignored, "", "prints the built-in CA certificates"},
	{OptDumpHeader, "dump-header", 'D', ArgFile, 0, InStringOption, "dumpHeader", ""},
	{OptEch, "ech", 0, ArgString, 0, InStringOption, "ech", ""},
	{OptEgdFile, "egd-file", 0, ArgString, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptEngine, "engine", 0, ArgString, 0, InStringOption, "engine", ""},
	{OptEprt, "eprt", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptEpsv, "epsv", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptEtagCompare, "etag-compare", 0, ArgFile, 0, InRequest, "", "If-None-Match"},
	{OptEtagSave, "etag-save", 0, ArgFile, 0, InStringOption, "etagSave", ""},
	{OptExpect100Timeout, "expect100-timeout", 0, ArgSeconds, 0, InSecondsOption, "expect100Timeout", ""},
	{OptFail, "fail", 'f', ArgBool, 0, InBoolOption, "fail", ""},
	{OptFailEarly, "fail-early", 0, ArgBool, 0, InBoolOption, "failEarly", ""},
	{OptFailWithBody, "fail-with-body", 0, ArgBool, 0, InBoolOption, "failWithBody", ""},
	{OptFalseStart, "false-start", 0, ArgBool, 0, Ignored, "", "has no function any more"},
	{OptFollow, "follow", 0, ArgBool, 0, InBoolOption, "follow", ""},
	{OptForm, "form", 'F', ArgString, FlagBlank, InRequest, "", "body"},
	{OptFormEscape, "form-escape", 0, ArgBool, 0, InRequest, "", "how a form escapes names"},
	{OptFormString, "form-string", 0, ArgString, FlagBlank, InRequest, "", "body"},
	{OptFtpAccount, "ftp-account", 0, ArgString, 0, Ignored, "", "only for FTP"},
	{OptFtpAlternativeToUser, "ftp-alternative-to-user", 0, ArgString, 0, Ignored, "", "only for FTP"},
	{OptFtpCreateDirs, "ftp-create-dirs", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptFtpMethod, "ftp-method", 0, ArgString, FlagBlank, Ignored, "", "only for FTP"},
	{OptFtpPasv, "ftp-pasv", 0, ArgNone, 0, Ignored, "", "only for FTP"},
	{OptFtpPort, "ftp-port", 'P', ArgString, 0, Ignored, "", "only for FTP"},
	{OptFtpPret, "ftp-pret", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptFtpSkipPasvIp, "ftp-skip-pasv-ip", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptFtpSsl, "ftp-ssl", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptFtpSslCcc, "ftp-ssl-ccc", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptFtpSslCccMode, "ftp-ssl-ccc-mode", 0, ArgString, FlagBlank, Ignored, "", "only for FTP"},
	{OptFtpSslControl, "ftp-ssl-control", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptFtpSslReqd, "ftp-ssl-reqd", 0, ArgBool, 0, Ignored, "", "only for FTP"},
	{OptGet, "get", 'G', ArgBool, 0, InRequest, "", "method, url"},
	{OptGloboff, "globoff", 'g', ArgBool, 0, InRequest, "", "url"},
	{OptHappyEyeballsTimeoutMs, "happy-eyeballs-timeout-ms", 0, ArgUnsigned, 0, InIntOption, "happyEyeballsTimeoutMs", ""},
	{OptHaproxyClientip, "haproxy-clientip", 0, ArgString, 0, InStringOption, "haproxyClientip", ""},
	{OptHaproxyProtocol, "haproxy-protocol", 0, ArgBool, 0, InBoolOption, "haproxyProtocol", ""},
	{OptHead, "head", 'I', ArgBool, 0, InRequest, "", "method"},
	{OptHeader, "header", 'H', ArgString, FlagBlank, InRequest, "", "header fields"},
	{OptHelp, "help", 'h', ArgString, FlagBlank, Ignored, "", "prints help"},
	{OptHostpubmd5, "hostpubmd5", 0, ArgString, 0, Ignored, "", "only for SSH"},
	{OptHostpubsha256, "hostpubsha256", 0, ArgString, 0, Ignored, "", "only for SSH"},
	{OptHsts, "hsts", 0, ArgString, FlagBlank, InStringOption, "hsts", ""},
	{OptHttp0_9, "http0.9", 0, ArgBool, 0, InBoolOption, "http09", ""},
	{OptHttp1_0, "http1.0", '0', ArgNone, 0, InDerivedOption, "httpVersion", ""},
	{OptHttp1_1, "http1.1", 0, ArgNone, 0, InDerivedOption, "httpVersion", ""},
	{OptHttp2, "http2", 0, ArgNone, 0, InDerivedOption, "httpVersion", ""},
	{OptHttp2PriorKnowledge, "http2-prior-knowledge", 0, ArgNone, 0, InDerivedOption, "httpVersion", ""},
	{OptHttp3, "http3", 0, ArgNone, 0, InDerivedOption, "httpVersion", ""},
	{OptHttp3Only, "http3-only", 0, ArgNone, 0, InDerivedOption, "httpVersion", ""},
	{OptHttpsigAlgo, "httpsig-algo", 0, ArgString, 0, InRequest, "", "auth"},
	{OptHttpsigHeaders, "httpsig-headers", 0, ArgString, 0, InRequest, "", "auth"},
	{OptHttpsigKey, "httpsig-key", 0, ArgFile, FlagSecret, InRequest, "", "auth"},
	{OptHttpsigKeyid, "httpsig-keyid", 0, ArgString, 0, InRequest, "", "auth"},
	{OptIgnoreContentLength, "ignore-content-length", 0, ArgBool, 0, InBoolOption, "ignoreContentLength", ""},
	{OptInclude, "include", 0, ArgBool, 0, InBoolOption, "showHeaders", ""},
	{OptInsecure, "insecure", 'k', ArgBool, 0, InBoolOption, "insecure", ""},
	{OptInterface, "interface", 0, ArgString, 0, InStringOption, "interface", ""},
	{OptIpTos, "ip-tos", 0, ArgString, FlagBlank, InStringOption, "ipTos", ""},
	{OptIpfsGateway, "ipfs-gateway", 0, ArgString, 0, InRequest, "", "url"},
	{OptIpv4, "ipv4", '4', ArgNone, 0, InDerivedOption, "ipVersion", ""},
	{OptIpv6, "ipv6", '6', ArgNone, 0, InDerivedOption, "ipVersion", ""},
	{OptJson, "json", 0, ArgString, FlagBlank, InRequest, "", "body, Content-Type, Accept"},
	{OptJunkSessionCookies, "junk-session-cookies", 'j', ArgBool, 0, InRequest, "", "Cookie from a file"},
	{OptKeepalive, "keepalive", 0, ArgBool, FlagNo, InBoolOption, "keepalive", ""},
	{OptKeepaliveCnt, "keepalive-cnt", 0, ArgUnsigned, 0, InIntOption, "keepaliveCnt", ""},
	{OptKeepaliveTime, "keepalive-time", 0, ArgUnsigned, 0, InIntOption, "keepaliveTime", ""},
	{OptKey, "key", 0, ArgFile, 0, InStringOption, "key", ""},
	{OptKeyType, "key-type", 0, ArgString, 0, InStringOption, "keyType", ""},
	{OptKnownhosts, "knownhosts", 0, ArgFile, 0, Ignored, "", "only for SSH"},
	{OptKrb, "krb", 0, ArgString, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptKrb4, "krb4", 0, ArgString, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptLibcurl, "libcurl", 0, ArgString, 0, Ignored, "", "writes a C program"},
	{OptLimitRate, "limit-rate", 0, ArgString, FlagBlank, InSizeOption, "limitRate", ""},
	{OptListOnly, "list-only", 'l', ArgBool, 0, Ignored, "", "only for FTP, POP3, SFTP and FILE"},
	{OptLocalPort, "local-port", 0, ArgString, FlagBlank, InStringOption, "localPort", ""},
	{OptLocation, "location", 'L', ArgBool, 0, InDerivedOption, "followRedirects", ""},
	{OptLocationTrusted, "location-trusted", 0, ArgBool, 0, InDerivedOption, "followRedirects", ""},
	{OptLoginOptions, "login-options", 0, ArgString, FlagBlank, InStringOption, "loginOptions", ""},
	{OptMailAuth, "mail-auth", 0, ArgString, 0, Ignored, "", "only for SMTP"},
	{OptMailFrom, "mail-from", 0, ArgString, 0, Ignored, "", "only for SMTP"},
	{OptMailRcpt, "mail-rcpt", 0, ArgString, FlagBlank, Ignored, "", "only for SMTP"},
	{OptMailRcptAllowfails, "mail-rcpt-allowfails", 0, ArgBool, 0, Ignored, "", "only for SMTP"},
	{OptManual, "manual", 'M', ArgBool, 0, Ignored, "", "prints the manual"},
	{OptMaxFilesize, "max-filesize", 0, ArgString, FlagBlank, InSizeOption, "maxFilesize", ""},
	{OptMaxRedirs, "max-redirs", 0, ArgString, FlagBlank, InIntOption, "maxRedirects", ""},
	{OptMaxTime, "max-time", 'm', ArgSeconds, 0, InSecondsOption, "maxTime", ""},
	{OptMetalink, "metalink", 0, ArgBool, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptMptcp, "mptcp", 0, ArgBool, 0, InBoolOption, "mptcp", ""},
	{OptNegotiate, "negotiate", 0, ArgBool, 0, InRequest, "", "auth"},
	{OptNetrc, "netrc", 'n', ArgBool, 0, InRequest, "", "Authorization"},
	{OptNetrcFile, "netrc-file", 0, ArgFile, 0, InRequest, "", "Authorization"},
	{OptNetrcOptional, "netrc-optional", 0, ArgBool, 0, InRequest, "", "Authorization"},
	{OptNext, "next", ':', ArgNone, 0, InRequest, "", "starts a new operation"},
	{OptNoproxy, "noproxy", 0, ArgString, FlagBlank, InStringOption, "noproxy", ""},
	{OptNpn, "npn", 0, ArgBool, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptNtlm, "ntlm", 0, ArgBool, 0, InRequest, "", "auth"},
	{OptNtlmWb, "ntlm-wb", 0, ArgBool, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptOauth2Bearer, "oauth2-bearer", 0, ArgString, FlagSecret, InRequest, "", "Authorization"},
	{OptOutNull, "out-null", 0, ArgBool, 0, InDerivedOption, "output", ""},
	{OptOutput, "output", 'o', ArgFile, 0, InDerivedOption, "output", ""},
	{OptOutputDir, "output-dir", 0, ArgString, 0, InStringOption, "outputDir", ""},
	{OptParallel, "parallel", 'Z', ArgBool, 0, InBoolOption, "parallel", ""},
	{OptParallelImmediate, "parallel-immediate", 0, ArgBool, 0, InBoolOption, "parallelImmediate", ""},
	{OptParallelMax, "parallel-max", 0, ArgUnsigned, 0, InIntOption, "parallelMax", ""},
	{OptParallelMaxHost, "parallel-max-host", 0, ArgUnsigned, 0, InIntOption, "parallelMaxHost", ""},
	{OptPass, "pass", 0, ArgString, FlagSecret, InStringOption, "keyPassword", ""},
	{OptPathAsIs, "path-as-is", 0, ArgBool, 0, InRequest, "", "url"},
	{OptPinnedpubkey, "pinnedpubkey", 0, ArgString, 0, InStringOption, "pinnedPublicKey", ""},
	{OptPost301, "post301", 0, ArgBool, 0, InBoolOption, "post301", ""},
	{OptPost302, "post302", 0, ArgBool, 0, InBoolOption, "post302", ""},
	{OptPost303, "post303", 0, ArgBool, 0, InBoolOption, "post303", ""},
	{OptPreproxy, "preproxy", 0, ArgString, 0, InStringOption, "preproxy", ""},
	{OptProgressBar, "progress-bar", '#', ArgBool, 0, Ignored, "", "what curl shows on the terminal"},
	{OptProgressMeter, "progress-meter", 0, ArgBool, FlagNo, Ignored, "", "what curl shows on the terminal"},
	{OptProto, "proto", 0, ArgString, FlagBlank, InStringOption, "proto", ""},
	{OptProtoDefault, "proto-default", 0, ArgString, 0, InRequest, "", "url"},
	{OptProtoRedir, "proto-redir", 0, ArgString, FlagBlank, InStringOption, "protoRedir", ""},
	{OptProxy, "proxy", 'x', ArgString, FlagBlank, InDerivedOption, "proxy", ""},
	{OptProxyAnyauth, "proxy-anyauth", 0, ArgBool, 0, InDerivedOption, "proxyAuth", ""},
	{OptProxyBasic, "proxy-basic", 0, ArgBool, 0, InDerivedOption, "proxyAuth", ""},
	{OptProxyCaNative, "proxy-ca-native", 0, ArgBool, 0, InBoolOption, "proxyCaNative", ""},
	{OptProxyCacert, "proxy-cacert", 0, ArgFile, 0, InStringOption, "proxyCacert", ""},
	{OptProxyCapath, "proxy-capath", 0, ArgFile, 0, InStringOption, "proxyCapath", ""},
	{OptProxyCert, "proxy-cert", 0, ArgFile, FlagSecret, InStringOption, "proxyCert", ""},
	{OptProxyCertType, "proxy-cert-type", 0, ArgString, 0, InStringOption, "proxyCertType", ""},
	{OptProxyCiphers, "proxy-ciphers", 0, ArgString, 0, InStringOption, "proxyCiphers", ""},
	{OptProxyCrlfile, "proxy-crlfile", 0, ArgFile, 0, InStringOption, "proxyCrlfile", ""},
	{OptProxyDigest, "proxy-digest", 0, ArgBool, 0, InDerivedOption, "proxyAuth", ""},
	{OptProxyHeader, "proxy-header", 0, ArgString, FlagBlank, InDerivedOption, "proxyHeaders", ""},
	{OptProxyHttp2, "proxy-http2", 0, ArgBool, 0, InBoolOption, "proxyHttp2", ""},
	{OptProxyHttp3, "proxy-http3", 0, ArgBool, 0, InBoolOption, "proxyHttp3", ""},
	{OptProxyInsecure, "proxy-insecure", 0, ArgBool, 0, InBoolOption, "proxyInsecure", ""},
	{OptProxyKey, "proxy-key", 0, ArgFile, FlagBlank, InStringOption, "proxyKey", ""},
	{OptProxyKeyType, "proxy-key-type", 0, ArgString, 0, InStringOption, "proxyKeyType", ""},
	{OptProxyNegotiate, "proxy-negotiate", 0, ArgBool, 0, InDerivedOption, "proxyAuth", ""},
	{OptProxyNtlm, "proxy-ntlm", 0, ArgBool, 0, InDerivedOption, "proxyAuth", ""},
	{OptProxyPass, "proxy-pass", 0, ArgString, FlagSecret | FlagBlank, InStringOption, "proxyKeyPassword", ""},
	{OptProxyPinnedpubkey, "proxy-pinnedpubkey", 0, ArgString, 0, InStringOption, "proxyPinnedPublicKey", ""},
	{OptProxyServiceName, "proxy-service-name", 0, ArgString, 0, InStringOption, "proxyServiceName", ""},
	{OptProxySslAllowBeast, "proxy-ssl-allow-beast", 0, ArgBool, 0, InBoolOption, "proxySslAllowBeast", ""},
	{OptProxySslAutoClientCert, "proxy-ssl-auto-client-cert", 0, ArgBool, 0, InBoolOption, "proxySslAutoClientCert", ""},
	{OptProxyTls13Ciphers, "proxy-tls13-ciphers", 0, ArgString, 0, InStringOption, "proxyTls13Ciphers", ""},
	{OptProxyTlsauthtype, "proxy-tlsauthtype", 0, ArgString, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptProxyTlspassword, "proxy-tlspassword", 0, ArgString, FlagSecret | FlagDeprecated, Ignored, "", "has no function any more"},
	{OptProxyTlsuser, "proxy-tlsuser", 0, ArgString, FlagSecret | FlagDeprecated, Ignored, "", "has no function any more"},
	{OptProxyTlsv1, "proxy-tlsv1", 0, ArgNone, 0, InDerivedOption, "proxyTlsMin", ""},
	{OptProxyUser, "proxy-user", 'U', ArgString, FlagSecret | FlagBlank, InStringOption, "proxyUser", ""},
	{OptProxy1_0, "proxy1.0", 0, ArgString, 0, InDerivedOption, "proxy", ""},
	{OptProxytunnel, "proxytunnel", 'p', ArgBool, 0, InBoolOption, "proxyTunnel", ""},
	{OptPubkey, "pubkey", 0, ArgString, 0, Ignored, "", "only for SSH"},
	{OptQuote, "quote", 'Q', ArgString, FlagBlank, Ignored, "", "only for FTP and SFTP"},
	{OptRandomFile, "random-file", 0, ArgFile, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptRange, "range", 'r', ArgString, 0, InRequest, "", "Range, Content-Range"},
	{OptRate, "rate", 0, ArgString, FlagBlank, InStringOption, "rate", ""},
	{OptRaw, "raw", 0, ArgBool, 0, InBoolOption, "raw", ""},
	{OptReferer, "referer", 'e', ArgString, FlagBlank, InRequest, "", "Referer"},
	{OptRemoteHeaderName, "remote-header-name", 'J', ArgBool, 0, InBoolOption, "remoteHeaderName", ""},
	{OptRemoteName, "remote-name", 'O', ArgBool, 0, InDerivedOption, "output", ""},
	{OptRemoteNameAll, "remote-name-all", 0, ArgBool, 0, InBoolOption, "remoteNameAll", ""},
	{OptRemoteTime, "remote-time", 'R', ArgBool, 0, InBoolOption, "remoteTime", ""},
	{OptRemoveOnError, "remove-on-error", 0, ArgBool, 0, InBoolOption, "removeOnError", ""},
	{OptRequest, "request", 'X', ArgString, 0, InRequest, "", "method"},
	{OptRequestTarget, "request-target", 0, ArgString, 0, InRequest, "", "request target"},
	{OptResolve, "resolve", 0, ArgString, FlagBlank, InListOption, "resolve", ""},
	{OptRetry, "retry", 0, ArgUnsigned, 0, InIntOption, "retry", ""},
	{OptRetryAllErrors, "retry-all-errors", 0, ArgBool, 0, InBoolOption, "retryAllErrors", ""},
	{OptRetryConnrefused, "retry-connrefused", 0, ArgBool, 0, InBoolOption, "retryConnrefused", ""},
	{OptRetryDelay, "retry-delay", 0, ArgSeconds, 0, InSecondsOption, "retryDelay", ""},
	{OptRetryMaxTime, "retry-max-time", 0, ArgSeconds, 0, InSecondsOption, "retryMaxTime", ""},
	{OptSaslAuthzid, "sasl-authzid", 0, ArgString, 0, Ignored, "", "only for mail and LDAP"},
	{OptSaslIr, "sasl-ir", 0, ArgBool, 0, Ignored, "", "only for mail and LDAP"},
	{OptServiceName, "service-name", 0, ArgString, 0, InStringOption, "serviceName", ""},
	{OptSessionid, "sessionid", 0, ArgBool, FlagNo, InBoolOption, "sessionid", ""},
	{OptShowError, "show-error", 'S', ArgBool, 0, Ignored, "", "what curl shows on the terminal"},
	{OptShowHeaders, "show-headers", 'i', ArgBool, 0, InBoolOption, "showHeaders", ""},
	{OptSigalgs, "sigalgs", 0, ArgString, 0, InStringOption, "sigalgs", ""},
	{OptSilent, "silent", 's', ArgBool, 0, Ignored, "", "what curl shows on the terminal"},
	{OptSkipExisting, "skip-existing", 0, ArgBool, 0, InBoolOption, "skipExisting", ""},
	{OptSocks4, "socks4", 0, ArgString, 0, InDerivedOption, "proxy", ""},
	{OptSocks4a, "socks4a", 0, ArgString, 0, InDerivedOption, "proxy", ""},
	{OptSocks5, "socks5", 0, ArgString, 0, InDerivedOption, "proxy", ""},
	{OptSocks5Basic, "socks5-basic", 0, ArgBool, 0, InBoolOption, "socks5Basic", ""},
	{OptSocks5Gssapi, "socks5-gssapi", 0, ArgBool, 0, InBoolOption, "socks5Gssapi", ""},
	{OptSocks5GssapiNec, "socks5-gssapi-nec", 0, ArgBool, 0, InBoolOption, "socks5GssapiNec", ""},
	{OptSocks5GssapiService, "socks5-gssapi-service", 0, ArgString, 0, InStringOption, "socks5GssapiService", ""},
	{OptSocks5Hostname, "socks5-hostname", 0, ArgString, 0, InDerivedOption, "proxy", ""},
	{OptSpeedLimit, "speed-limit", 'Y', ArgUnsigned, 0, InIntOption, "speedLimit", ""},
	{OptSpeedTime, "speed-time", 'y', ArgUnsigned, 0, InIntOption, "speedTime", ""},
	{OptSsl, "ssl", 0, ArgBool, 0, Ignored, "", "only for FTP, mail and LDAP"},
	{OptSslAllowBeast, "ssl-allow-beast", 0, ArgBool, 0, InBoolOption, "sslAllowBeast", ""},
	{OptSslAutoClientCert, "ssl-auto-client-cert", 0, ArgBool, 0, InBoolOption, "sslAutoClientCert", ""},
	{OptSslNoRevoke, "ssl-no-revoke", 0, ArgBool, 0, InBoolOption, "sslNoRevoke", ""},
	{OptSslReqd, "ssl-reqd", 0, ArgBool, 0, Ignored, "", "only for FTP, mail and LDAP"},
	{OptSslRevokeBestEffort, "ssl-revoke-best-effort", 0, ArgBool, 0, InBoolOption, "sslRevokeBestEffort", ""},
	{OptSslSessions, "ssl-sessions", 0, ArgFile, 0, InStringOption, "sslSessions", ""},
	{OptSslv2, "sslv2", '2', ArgNone, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptSslv3, "sslv3", '3', ArgNone, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptStderr, "stderr", 0, ArgFile, FlagBlank, Ignored, "", "where curl writes messages"},
	{OptStyledOutput, "styled-output", 0, ArgBool, 0, Ignored, "", "what curl shows on the terminal"},
	{OptSuppressConnectHeaders, "suppress-connect-headers", 0, ArgBool, 0, InBoolOption, "suppressConnectHeaders", ""},
	{OptTcpFastopen, "tcp-fastopen", 0, ArgBool, 0, InBoolOption, "tcpFastopen", ""},
	{OptTcpNodelay, "tcp-nodelay", 0, ArgBool, 0, InBoolOption, "tcpNodelay", ""},
	{OptTelnetOption, "telnet-option", 't', ArgString, FlagBlank, Ignored, "", "only for TELNET"},
	{OptTestDuphandle, "test-duphandle", 0, ArgBool, 0, Ignored, "", "only in debug builds of curl"},
	{OptTestEvent, "test-event", 0, ArgBool, 0, Ignored, "", "only in debug builds of curl"},
	{OptTftpBlksize, "tftp-blksize", 0, ArgUnsigned, 0, Ignored, "", "only for TFTP"},
	{OptTftpNoOptions, "tftp-no-options", 0, ArgBool, 0, Ignored, "", "only for TFTP"},
	{OptTimeCond, "time-cond", 'z', ArgString, FlagBlank, InRequest, "", "If-Modified-Since, If-Unmodified-Since"},
	{OptTlsEarlydata, "tls-earlydata", 0, ArgBool, 0, InBoolOption, "tlsEarlydata", ""},
	{OptTlsMax, "tls-max", 0, ArgString, FlagBlank, InStringOption, "tlsMax", ""},
	{OptTls13Ciphers, "tls13-ciphers", 0, ArgString, 0, InStringOption, "tls13Ciphers", ""},
	{OptTlsauthtype, "tlsauthtype", 0, ArgString, FlagDeprecated, Ignored, "", "has no function any more"},
	{OptTlspassword, "tlspassword", 0, ArgString, FlagSecret | FlagDeprecated, Ignored, "", "has no function any more"},
	{OptTlsuser, "tlsuser", 0, ArgString, FlagSecret | FlagDeprecated, Ignored, "", "has no function any more"},
	{OptTlsv1, "tlsv1", '1', ArgNone, 0, InDerivedOption, "tlsMin", ""},
	{OptTlsv1_0, "tlsv1.0", 0, ArgNone, 0, InDerivedOption, "tlsMin", ""},
	{OptTlsv1_1, "tlsv1.1", 0, ArgNone, 0, InDerivedOption, "tlsMin", ""},
	{OptTlsv1_2, "tlsv1.2", 0, ArgNone, 0, InDerivedOption, "tlsMin", ""},
	{OptTlsv1_3, "tlsv1.3", 0, ArgNone, 0, InDerivedOption, "tlsMin", ""},
	{OptTrEncoding, "tr-encoding", 0, ArgBool, 0, InRequest, "", "TE"},
	{OptTrace, "trace", 0, ArgFile, 0, Ignored, "", "what curl logs"},
	{OptTraceAscii, "trace-ascii", 0, ArgFile, 0, Ignored, "", "what curl logs"},
	{OptTraceConfig, "trace-config", 0, ArgString, FlagBlank, Ignored, "", "what curl logs"},
	{OptTraceIds, "trace-ids", 0, ArgBool, 0, Ignored, "", "what curl logs"},
	{OptTraceTime, "trace-time", 0, ArgBool, 0, Ignored, "", "what curl logs"},
	{OptUnixSocket, "unix-socket", 0, ArgFile, 0, InStringOption, "unixSocket", ""},
	{OptUploadFile, "upload-file", 'T', ArgFile, FlagBlank, InRequest, "", "method, body, url"},
	{OptUploadFlags, "upload-flags", 0, ArgString, FlagBlank, Ignored, "", "only for IMAP"},
	{OptUrl, "url", 0, ArgString, 0, InRequest, "", "url"},
	{OptUrlQuery, "url-query", 0, ArgString, FlagBlank, InRequest, "", "url"},
	{OptUseAscii, "use-ascii", 'B', ArgBool, 0, InRequest, "", "line ends of the body"},
	{OptUser, "user", 'u', ArgString, FlagSecret | FlagBlank, InRequest, "", "Authorization, auth"},
	{OptUserAgent, "user-agent", 'A', ArgString, FlagBlank, InRequest, "", "User-Agent"},
	{OptVariable, "variable", 0, ArgString, FlagBlank, InRequest, "", "values of other options"},
	{OptVerbose, "verbose", 'v', ArgBool, 0, Ignored, "", "what curl logs"},
	{OptVersion, "version", 'V', ArgBool, 0, Ignored, "", "prints the version"},
	{OptVlanPriority, "vlan-priority", 0, ArgUnsigned, 0, InIntOption, "vlanPriority", ""},
	{OptWdebug, "wdebug", 0, ArgBool, 0, Ignored, "", "only in debug builds of curl"},
	{OptWriteOut, "write-out", 'w', ArgString, FlagBlank, InStringOption, "writeOut", ""},
	{OptXattr, "xattr", 0, ArgBool, 0, InBoolOption, "xattr", ""},
}
