/*
 * Calls each function with texts that end at the end of what was allocated for them, from
 * several threads, and reads each answer to its end. Sanitizers say what is wrong.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncoil.h"

enum { THREADS = 4, ROUNDS = 125 };

typedef char *answers(const char *, size_t, const char *, size_t, int *);

static answers *const functions[] = {uncoil_convert, uncoil_parse, uncoil_code};

static const struct {
  const char *command, *options;
} asked[] = {
  {"curl -d a=1 'https://example.com/?b=2' -H 'A: b'", "{\"target\": \"python\"}"},
  {"curl 'unclosed", "{}"},
  {"curl h.test \xff\xfe", "{\"target\": \"no such\"}"},
  {"", "{"},
};

/* copy returns the bytes of a text alone, without the NUL at its end. */
static char *copy(const char *text, size_t size) {
  char *bytes = malloc(size);
  if (size > 0) memcpy(bytes, text, size);
  return bytes;
}

static void *work(void *unused) {
  size_t read = 0;
  (void)unused;
  for (long i = 0; i < ROUNDS * 4; i++) {
    const char *command = asked[i % 4].command, *options = asked[i % 4].options;
    size_t size = strlen(command), options_size = strlen(options);
    char *own = copy(command, size), *own_options = copy(options, options_size), *answer;
    int status = 0;
    answer = functions[i / 4 % 3](own, size, own_options, options_size, i % 8 < 4 ? &status : NULL);
    free(own);
    free(own_options);
    if (answer != NULL && answer[0] == '{') read++;
    for (const char *c = answer; *c != 0; c++) {
      if (*c == '\n' && c[1] != 0) abort();
    }
    uncoil_free(answer);
  }
  return (void *)read;
}

int main(void) {
  pthread_t threads[THREADS];
  size_t all = 0;
  char *targets = uncoil_targets();
  if (targets == NULL || targets[0] != '[') return 1;
  uncoil_free(targets);
  uncoil_free(NULL);
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL) != 0) return 1;
  }
  for (int i = 0; i < THREADS; i++) {
    void *read;
    pthread_join(threads[i], &read);
    all += (size_t)read;
  }
  printf("%zu answers\n", all);
  return 0;
}
