// Runs straight-line modules of WebAssembly: reads modules and inputs from standard input, writes the
// bits of the output of each row.
import { readFileSync } from "node:fs";

const { elementary, modules, cases } = JSON.parse(readFileSync(0, "utf-8"));
const bytes = (text) => Buffer.from(text, "base64");
const memory = new WebAssembly.Memory({ initial: 64 });
const env = {
  memory, __memory_base: new WebAssembly.Global({ value: "i32" }, 0),
  __indirect_function_table: new WebAssembly.Table({ initial: 1, element: "anyfunc" }),
  __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, 1 << 16),
};
const made = (text) => new WebAssembly.Instance(new WebAssembly.Module(bytes(text)), { env }).exports;
for (const text of elementary) Object.assign(env, made(text));

/** Places arrays one after the other; the addresses of all. */
function placed(arrays) {
  let place = 1 << 17;
  return arrays.map((x) => {
    new BigUint64Array(memory.buffer, place, x.length).set(x.map(BigInt));
    place += 8 * x.length + 64;
    return BigInt(place - 8 * x.length - 64);
  });
}

const table = new BigUint64Array(memory.buffer, 1 << 16, 16);
const results = cases.map(({ module, parameters, constants, tables, inputs, size }) => {
  const code = made(modules[module]), zeros = (n) => Array(n).fill("0");
  const [given, ready, numbers, ...rest] = placed([parameters, zeros(constants), tables, ...inputs, zeros(size)]);
  if (tables.length) new BigUint64Array(memory.buffer, Number(ready), 1)[0] = numbers;
  table.set([given, ready]);
  code.constants(BigInt(1 << 16));
  table.set([ready, ...rest]);
  code.single(BigInt(1 << 16));
  return Array.from(new BigUint64Array(memory.buffer, Number(rest.at(-1)), size), String);
});
process.stdout.write(JSON.stringify(results));
