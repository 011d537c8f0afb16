/* Calls often, and prints by how many KiB the process has grown since the first half. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncoil.h"

static long resident(void) {
  long all, pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &all, &pages) != 2) exit(1);
  fclose(file);
  return pages * 4;
}

int main(int argc, char **argv) {
  const char *command = "curl -d a=1 'https://example.com/?b=2' -H 'A: b'";
  const char *options = "{\"target\": \"python\"}";
  long calls = argc > 1 ? atol(argv[1]) : 1000, half = 0;
  for (long i = 0; i < calls; i++) {
    int status;
    char *answer = uncoil_code(command, strlen(command), options, strlen(options), &status);
    if (status != 200) return 1;
    uncoil_free(answer);
    if (i == calls / 2) half = resident();
  }
  printf("%ld\n", resident() - half);
  return 0;
}
