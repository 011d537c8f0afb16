// What the programs use of RestSharp 112 and of System.Text.Json, which mono
// lacks, without what it does: the compiler of mono checks the programs with it.
namespace RestSharp {
    using System;
    using System.Collections.Generic;
    using System.Net;
    using System.Net.Security;
    using System.Threading.Tasks;

    public enum Method { Get, Post, Put, Delete, Head, Options, Patch, Merge, Copy, Search }
    public enum DataFormat { Json, Xml, Binary, None }
    public class ContentType {
        public static readonly ContentType Binary = null;
        public static implicit operator ContentType(string contentType) => null;
    }
    public class RestClientOptions {
        public RestClientOptions(string baseUrl) { }
        public Authenticators.IAuthenticator Authenticator { get; set; }
        public ICredentials Credentials { get; set; }
        public bool DisableCharset { get; set; }
        public DecompressionMethods AutomaticDecompression { get; set; }
        public int? MaxRedirects { get; set; }
        public IWebProxy Proxy { get; set; }
        public bool FollowRedirects { get; set; }
        public string UserAgent { get; set; }
        public RemoteCertificateValidationCallback RemoteCertificateValidationCallback { get; set; }
        public TimeSpan? Timeout { get; set; }
    }
    public class RestClient : IDisposable {
        public RestClient(RestClientOptions options) { }
        public Task<RestResponse> ExecuteAsync(RestRequest request) => null;
        public void Dispose() { }
    }
    public class RestRequest {
        public Method Method { get; set; }
        public Version Version { get; set; }
        public RestRequest AddHeader(string name, string value) => this;
        public RestRequest AddParameter(string name, string value) => this;
        public RestRequest AddBody(object body, ContentType contentType) => this;
        public RestRequest AddStringBody(string body, DataFormat format) => this;
        public RestRequest AddStringBody(string body, ContentType contentType) => this;
        public RestRequest AddFile(string name, string path, ContentType contentType) => this;
    }
    public class HeaderParameter {
        public string Name { get; }
        public string Value { get; }
    }
    public class RestResponse {
        public HttpStatusCode StatusCode { get; }
        public string StatusDescription { get; }
        public string Content { get; }
        public string ErrorMessage { get; }
        public byte[] RawBytes { get; }
        public IReadOnlyCollection<HeaderParameter> Headers { get; }
    }
}

namespace RestSharp.Authenticators {
    public interface IAuthenticator { }
    public class HttpBasicAuthenticator : IAuthenticator { public HttpBasicAuthenticator(string username, string password) { } }
    public class JwtAuthenticator : IAuthenticator { public JwtAuthenticator(string token) { } }
}

namespace System.Text.Json {
    public struct JsonEncodedText { public static JsonEncodedText Encode(string value) => default(JsonEncodedText); }
}
