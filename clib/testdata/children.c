/* Loads the library in two children, after fork(), and prints what it answers there. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef char *answer_function(const char *, size_t, const char *, size_t, int *);

static int child(const char *library) {
  const char *command = "curl h.test";
  void *loaded = dlopen(library, RTLD_NOW);
  answer_function *convert = NULL;
  if (loaded == NULL) return 2;
  *(void **)&convert = dlsym(loaded, "uncoil_convert");
  alarm(20);
  return puts(convert(command, strlen(command), NULL, 0, NULL)) < 0 || fflush(stdout) != 0;
}

int main(int argc, char **argv) {
  int failed = argc != 2;
  for (int i = 0; i < 2; i++) {
    int status;
    pid_t pid = fork();
    if (pid == 0) _exit(child(argv[1]));
    if (waitpid(pid, &status, 0) != pid || status != 0) failed = 1;
  }
  return failed;
}
