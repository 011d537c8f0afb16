"""Names the files of its list, "language path" a line, in which the grammar of the language finds an error, with its place."""

import importlib
import sys

from tree_sitter import Language, Parser

modules = {"csharp": "c_sharp", "dart": "dart_orchard"}
parsers = {}


def fault(node):
    """Returns the first node that is an error or missing."""
    if node.is_error or node.is_missing:
        return node
    return next((found for child in node.children if child.has_error and (found := fault(child))), None) or node


for line in open(sys.argv[1]):
    language, path = line.rstrip("\n").split(" ", 1)
    if language not in parsers:
        module = importlib.import_module("tree_sitter_" + modules.get(language, language))
        parsers[language] = Parser(Language(module.language()))
    source = open(path, "rb").read()
    root = parsers[language].parse(source).root_node
    if root.has_error:
        node = fault(root)
        print(path, node.start_point.row + 1, repr(source[node.start_byte : node.end_byte][:200]))
