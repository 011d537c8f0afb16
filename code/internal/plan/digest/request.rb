# Sends a request as curl does with --digest: the content once the server needs no more.
def request_digest(http, request, user, password, content: false)
  first = request.clone
  first.initialize_http_header(request.each_header.to_h)
  first.body = '' if content
  response = http.request(first)
  challenge = response['WWW-Authenticate'].to_s
  if response.code == '401' && challenge.match?(/digest /i)
    request['Authorization'] = digest(challenge, request, user, password)
  elsif !content || response.code >= '300'
    return response
  end
  http.request(request)
end

# Answers a server that asks for Digest authentication: RFC 7616.
def digest(challenge, request, user, password)
  part = lambda do |name|
    found = challenge.match(/digest .*?\b#{name}=(?:"(.*?)"|([^\s,]+))/i)
    found && (found[1] || found[2])
  end
  realm, nonce, opaque, algorithm = %w[realm nonce opaque algorithm].map(&part)
  hash = lambda do |*parts|
    Digest.const_get((algorithm || 'MD5').delete('-')).hexdigest(parts.join(':'))
  end
  cnonce = SecureRandom.hex
  count = part.call('qop') ? ['00000001', cnonce, 'auth'] : []
  own = hash.call(user, realm, password)
  response = hash.call(own, nonce, *count, hash.call(request.method, request.path))
  answer = %(Digest username="#{user}", realm="#{realm}", nonce="#{nonce}", uri="#{request.path}")
  answer += %(, qop=auth, nc=00000001, cnonce="#{cnonce}") unless count.empty?
  answer += ", algorithm=#{algorithm}" if algorithm
  answer += %(, opaque="#{opaque}") if opaque
  answer + %(, response="#{response}")
end
