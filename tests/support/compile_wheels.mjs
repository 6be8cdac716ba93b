// Compiles the Python files of the wheels of a playground, by the Python that will run them: each file
// `x.py` becomes `x.pyc` in its place.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]), runtime = `${folder}/pyodide/`;
const { loadPyodide } = await import(pathToFileURL(`${runtime}pyodide.mjs`));
const python = await loadPyodide({ indexURL: runtime });
const compile = python.runPython(`
import io, py_compile, zipfile

def compile_wheel(content):
    old, whole = zipfile.ZipFile(io.BytesIO(content.to_py())), io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            name, data = entry.filename, old.read(entry)
            if name.endswith(".py"):
                with open("/tmp/a.py", "wb") as file:
                    file.write(data)
                try:
                    py_compile.compile(
                        "/tmp/a.py", "/tmp/a.pyc", name, doraise=True, optimize=0,
                        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
                    )
                    name, data = f"{name}c", open("/tmp/a.pyc", "rb").read()
                except py_compile.PyCompileError:
                    pass  # a file of another version of Python, such as a test
            new.writestr(name, data)
    return whole.getvalue()

compile_wheel
`);
for (const name of readdirSync(`${folder}/packages`)) {
  const path = `${folder}/packages/${name}`;
  const compiled = compile(new Uint8Array(readFileSync(path))).toJs();
  writeFileSync(path, compiled);
}
process.exit(0);
