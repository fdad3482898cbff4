// Run by `python -m cli.guests.bundle`, never served: node compile.mjs PYODIDE DOCSTRINGS IN.zip OUT.zip …
// Python sources to the bytecode of the very interpreter that will run them, so that no phone compiles anything.
// The bytes depend on the sources alone. DOCSTRINGS: beginnings of paths, with commas, whose docstrings stay.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** What went wrong in words: node would print a megabyte of minified source instead. */
process.on("uncaughtException", (error) => {
  console.error(String(error.stack ?? error).slice(-2000));
  process.exit(1);
});

const [pyodide, docstrings, ...files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONHASHSEED: "0" } });
python.globals.set("keeps", docstrings);
python.runPython(`
import ast, importlib.util, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def bare(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node, clean=False) is not None:
            node.body[0].value.value = ""
    return tree

def work():
    with zipfile.ZipFile("/in.zip") as old, zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_STORED) as new:
        for name in sorted(old.namelist()):
            if name.endswith("/"):
                continue
            data = old.read(name)
            if name.endswith(".py"):
                tree = ast.parse(data, name)
                if not name.startswith(tuple(keeps.split(","))):
                    tree = bare(tree)
                code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
                data, name = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(data), False)), name + "c"
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
`);
while (files.length > 0) {
  const [input, output] = files.splice(0, 2);
  python.FS.writeFile("/in.zip", new Uint8Array(readFileSync(input)));
  python.runPython("work()");
  writeFileSync(output, python.FS.readFile("/out.zip"));
}
