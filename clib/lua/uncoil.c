/*
 * uncoil for Lua 5.3 and later, over the library for C:
 *
 *   cc -shared -fPIC -I/usr/include/lua5.3 -I.. -o uncoil.so uncoil.c -L.. -luncoil
 *
 *   local uncoil = require "uncoil"
 *   local answer, status = uncoil.convert(command, options)
 *
 * convert, parse and code return the JSON of the answer and the status; options is
 * JSON, or nil. targets returns JSON. A command may hold any bytes.
 */
#include <lauxlib.h>
#include <lua.h>

#include "uncoil.h"

typedef char *answer_function(const char *, size_t, const char *, size_t, int *);

/* Lua may leave a function by an error where memory runs out; the answer is then lost,
 * and the state of Lua with it, as a rule. */
static int answered(lua_State *L, answer_function *function) {
  size_t command_size, options_size = 0;
  const char *command = luaL_checklstring(L, 1, &command_size);
  const char *options = luaL_optlstring(L, 2, NULL, &options_size);
  int status;
  char *answer = function(command, command_size, options, options_size, &status);
  lua_pushstring(L, answer);
  uncoil_free(answer);
  lua_pushinteger(L, status);
  return 2;
}

static int convert(lua_State *L) { return answered(L, uncoil_convert); }
static int parse(lua_State *L) { return answered(L, uncoil_parse); }
static int code(lua_State *L) { return answered(L, uncoil_code); }

static int targets(lua_State *L) {
  char *list = uncoil_targets();
  lua_pushstring(L, list);
  uncoil_free(list);
  return 1;
}

int luaopen_uncoil(lua_State *L) {
  static const luaL_Reg functions[] = {{"convert", convert}, {"parse", parse}, {"code", code}, {"targets", targets}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
