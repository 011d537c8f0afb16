/*
 * Preloaded into a command under test, this leads all its connections to one
 * recorder on the loopback interface, whatever they were meant for:
 *
 * - getaddrinfo() answers 127.0.0.1 (or ::1) for every name,
 * - connect() on an internet socket goes to 127.0.0.1:$UNCOIL_ORACLE_PORT,
 * - connect() on a Unix socket goes to $UNCOIL_ORACLE_SOCKET,
 * - sendto() with an address goes to 127.0.0.1, so that no datagram leaves
 *   the machine,
 * - a command that spins uses no more than a few seconds of processor time,
 *   also when the test that started it is gone,
 * - libcurl accepts any certificate, for every transfer, which no option on
 *   the command line could say: -k holds up to the next --next only.
 *
 * What is sent stays as it is.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

/* From curl's public interface; written out to need no headers of it. */
enum {
  SSL_VERIFYPEER = 64,
  SSL_VERIFYHOST = 81,
  PROXY_SSL_VERIFYPEER = 248,
  PROXY_SSL_VERIFYHOST = 249,
  DOH_SSL_VERIFYPEER = 306,
  DOH_SSL_VERIFYHOST = 307
};

static void *original(const char *name)
{
  return dlsym(RTLD_NEXT, name);
}

enum { SECONDS_OF_PROCESSOR_TIME = 10 };

__attribute__((constructor)) static void limit(void)
{
  struct rlimit seconds = { SECONDS_OF_PROCESSOR_TIME, SECONDS_OF_PROCESSOR_TIME };
  setrlimit(RLIMIT_CPU, &seconds);
}

/* loopback makes an address for a socket of the given family. */
static socklen_t loopback(struct sockaddr_storage *to, int family, int port)
{
  memset(to, 0, sizeof *to);
  if(family == AF_INET6) {
    struct sockaddr_in6 *a = (struct sockaddr_in6 *)to;
    a->sin6_family = AF_INET6;
    a->sin6_port = htons((unsigned short)port);
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &a->sin6_addr);
    return sizeof *a;
  }
  struct sockaddr_in *a = (struct sockaddr_in *)to;
  a->sin_family = AF_INET;
  a->sin_port = htons((unsigned short)port);
  a->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return sizeof *a;
}

int connect(int fd, const struct sockaddr *address, socklen_t len)
{
  int (*next)(int, const struct sockaddr *, socklen_t) = original("connect");
  const char *port = getenv("UNCOIL_ORACLE_PORT");
  const char *path = getenv("UNCOIL_ORACLE_SOCKET");
  if((address->sa_family == AF_INET || address->sa_family == AF_INET6) && port) {
    struct sockaddr_storage to;
    len = loopback(&to, address->sa_family, atoi(port));
    return next(fd, (struct sockaddr *)&to, len);
  }
  if(address->sa_family == AF_UNIX && path) {
    struct sockaddr_un to = { .sun_family = AF_UNIX };
    strncpy(to.sun_path, path, sizeof to.sun_path - 1);
    return next(fd, (struct sockaddr *)&to, sizeof to);
  }
  return next(fd, address, len);
}

ssize_t sendto(int fd, const void *data, size_t size, int flags,
               const struct sockaddr *address, socklen_t len)
{
  ssize_t (*next)(int, const void *, size_t, int, const struct sockaddr *,
                  socklen_t) = original("sendto");
  if(address && getenv("UNCOIL_ORACLE_PORT") &&
     (address->sa_family == AF_INET || address->sa_family == AF_INET6)) {
    struct sockaddr_storage to;
    int port = ntohs(((const struct sockaddr_in *)address)->sin_port);
    len = loopback(&to, address->sa_family, port);
    return next(fd, data, size, flags, (struct sockaddr *)&to, len);
  }
  return next(fd, data, size, flags, address, len);
}

int getaddrinfo(const char *node, const char *service,
                const struct addrinfo *hints, struct addrinfo **result)
{
  int (*next)(const char *, const char *, const struct addrinfo *,
              struct addrinfo **) = original("getaddrinfo");
  if(node && getenv("UNCOIL_ORACLE_PORT") &&
     !(hints && hints->ai_flags & AI_NUMERICHOST))
    node = hints && hints->ai_family == AF_INET6 ? "::1" : "127.0.0.1";
  return next(node, service, hints, result);
}

/* trusting switches the checks of certificates off. */
static void *trusting(void *easy)
{
  static const int checks[] = { SSL_VERIFYPEER, SSL_VERIFYHOST,
                                PROXY_SSL_VERIFYPEER, PROXY_SSL_VERIFYHOST,
                                DOH_SSL_VERIFYPEER, DOH_SSL_VERIFYHOST };
  int (*setopt)(void *, int, ...) = original("curl_easy_setopt");
  for(size_t i = 0; setopt && i < sizeof checks / sizeof *checks; i++)
    setopt(easy, checks[i], 0L);
  return easy;
}

int curl_easy_perform(void *easy)
{
  int (*next)(void *) = original("curl_easy_perform");
  return next(trusting(easy));
}

int curl_multi_add_handle(void *multi, void *easy)
{
  int (*next)(void *, void *) = original("curl_multi_add_handle");
  return next(multi, trusting(easy));
}
