/*
 * uncoil: says which HTTP request a curl command would send, and writes it as code.
 *
 * Before you link with it:
 *
 * - The library has the runtime of Go, whose threads do not live on in a child of
 *   fork(): there the functions hang, sooner or later. Load it after fork(), in the
 *   child that calls it. A server that forks its workers loads it in each worker.
 * - It needs the glibc of the system that built it, or a newer one: 2.34 where that
 *   was Debian 12. It does not work with musl.
 * - Once loaded it stays: dlclose() does nothing.
 *
 * It opens no connection and reads no file, and the functions may be called from many
 * threads at once.
 *
 * uncoil_convert, uncoil_parse and uncoil_code take a command and options, each as a
 * place and a size in bytes. A text needs no NUL at its end, is read before the
 * function returns, and stays the caller's. NULL goes with the size 0: no options. The
 * command may have any bytes. The options are an object in JSON, with the members that
 * the service takes beside "curl": "target", "files", "stdin", "env", "shell" and so on
 * (CodeCommand in openapi.yaml).
 *
 * They return JSON in UTF-8 with a NUL at its end: what POST /api/convert, /api/parse
 * and /api/code answer, byte for byte. They store the status, 200, unless its place is
 * NULL; with any other status the JSON is a problem document (RFC 9457), with "code",
 * "detail" and, where there are any, "hint", "line", "column" and "fix". They never
 * return NULL: where memory runs out, the program ends.
 *
 * What they return is the caller's, until uncoil_free gives it back.
 */
#ifndef UNCOIL_H
#define UNCOIL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The method, the URL, the header fields and the data of the request. */
char *uncoil_convert(const char *command, size_t command_size, const char *options, size_t options_size, int *status);

/* Everything that the command says about each of its requests. */
char *uncoil_parse(const char *command, size_t command_size, const char *options, size_t options_size, int *status);

/* The program that sends the requests, in the language that "target" names. */
char *uncoil_code(const char *command, size_t command_size, const char *options, size_t options_size, int *status);

/* The targets of uncoil_code, as GET /api/targets lists them. */
char *uncoil_targets(void);

/* Gives back what one of the others has returned; NULL is nothing to give back. */
void uncoil_free(char *answer);

#ifdef __cplusplus
}
#endif

#endif
