// What programs for OkHttp 4 use of it, with the types that its sources give in Kotlin.
@file:Suppress("UNUSED_PARAMETER")

package okhttp3

import java.io.Closeable
import java.io.File
import java.io.InputStream
import java.net.CookieHandler
import java.net.Proxy
import java.util.concurrent.TimeUnit
import javax.net.ssl.SSLSession
import javax.net.ssl.SSLSocketFactory
import javax.net.ssl.X509TrustManager

class MediaType private constructor() {
    companion object {
        fun String.toMediaType(): MediaType = TODO()
    }
}

abstract class RequestBody {
    companion object {
        fun String.toRequestBody(contentType: MediaType? = null): RequestBody = TODO()
        fun ByteArray.toRequestBody(contentType: MediaType? = null, offset: Int = 0, byteCount: Int = size): RequestBody = TODO()
        fun File.asRequestBody(contentType: MediaType? = null): RequestBody = TODO()
    }
}

class FormBody private constructor() : RequestBody() {
    class Builder {
        fun add(name: String, value: String): Builder = this
        fun build(): FormBody = TODO()
    }
}

class MultipartBody private constructor() : RequestBody() {
    class Builder {
        fun setType(type: MediaType): Builder = this
        fun addFormDataPart(name: String, value: String): Builder = this
        fun addFormDataPart(name: String, filename: String?, body: RequestBody): Builder = this
        fun build(): MultipartBody = TODO()
    }

    companion object {
        val FORM: MediaType get() = TODO()
    }
}

class Headers private constructor() {
    class Builder {
        fun add(name: String, value: String): Builder = this
        fun addUnsafeNonAscii(name: String, value: String): Builder = this
        fun build(): Headers = TODO()
    }
}

class Request internal constructor() {
    fun newBuilder(): Builder = Builder()

    class Builder {
        fun url(url: String): Builder = this
        fun header(name: String, value: String): Builder = this
        fun addHeader(name: String, value: String): Builder = this
        fun removeHeader(name: String): Builder = this
        fun headers(headers: Headers): Builder = this
        fun head(): Builder = this
        fun post(body: RequestBody): Builder = this
        fun put(body: RequestBody): Builder = this
        fun patch(body: RequestBody): Builder = this
        fun delete(body: RequestBody? = null): Builder = this
        fun method(method: String, body: RequestBody?): Builder = this
        fun build(): Request = Request()
    }
}

abstract class ResponseBody : Closeable {
    abstract fun string(): String
    abstract fun byteStream(): InputStream
}

abstract class Response : Closeable {
    abstract val code: Int
    abstract val headers: Headers
    abstract val body: ResponseBody?
    abstract val request: Request
}

class Route

interface Interceptor {
    interface Chain {
        fun request(): Request
        fun proceed(request: Request): Response
    }
}

interface Call {
    fun execute(): Response
}

interface CookieJar

class JavaNetCookieJar(handler: CookieHandler) : CookieJar

enum class Protocol { HTTP_1_1 }

enum class TlsVersion { TLS_1_0, TLS_1_1, TLS_1_2, TLS_1_3 }

class ConnectionSpec {
    class Builder(spec: ConnectionSpec) {
        fun tlsVersions(vararg versions: TlsVersion): Builder = this
        fun build(): ConnectionSpec = TODO()
    }

    companion object {
        val MODERN_TLS: ConnectionSpec get() = TODO()
        val CLEARTEXT: ConnectionSpec get() = TODO()
    }
}

object Credentials {
    fun basic(username: String, password: String, charset: java.nio.charset.Charset = Charsets.ISO_8859_1): String = TODO()
}

class OkHttpClient {
    fun newCall(request: Request): Call = TODO()

    class Builder {
        fun protocols(protocols: List<Protocol>): Builder = this
        fun followRedirects(follows: Boolean): Builder = this
        fun readTimeout(timeout: Long, unit: TimeUnit): Builder = this
        fun callTimeout(timeout: Long, unit: TimeUnit): Builder = this
        fun connectTimeout(timeout: Long, unit: TimeUnit): Builder = this
        fun cookieJar(jar: CookieJar): Builder = this
        fun proxy(proxy: Proxy?): Builder = this
        fun proxyAuthenticator(answer: (Route?, Response) -> Request?): Builder = this
        fun hostnameVerifier(verifies: (String, SSLSession) -> Boolean): Builder = this
        fun sslSocketFactory(factory: SSLSocketFactory, trusts: X509TrustManager): Builder = this
        fun connectionSpecs(specs: List<ConnectionSpec>): Builder = this
        fun addNetworkInterceptor(block: (Interceptor.Chain) -> Response): Builder = this
        fun build(): OkHttpClient = OkHttpClient()
    }
}
