const FUNCTIONS = FUNCTIONS_OF_MODEL;
/** Values of the parameters in the description. */
export const PARAMETERS = VALUES_OF_MODEL;
const STACK = 1 << 16, DATA = 1024, PAGE = 1 << 16;

/**
 * The functions of a module by name.
 * @param {BufferSource} bytes content of the file .wasm
 * @returns {Promise<Object<string, function(...ArrayLike<number>): Float64Array>>}
 */
export async function load(bytes) {
  const first = DATA + STACK;
  const longest = (sizes) => Object.values(sizes).reduce((sum, n) => sum + n, 0);
  const numbers = Object.values(FUNCTIONS).map(({ sizes }) => longest(sizes) + 16);
  const total = first + 8 * (numbers.reduce((sum, n) => sum + n, 0) + PARAMETERS.length);
  const memory = new WebAssembly.Memory({ initial: Math.ceil(total / PAGE) + 1 });
  const table = new WebAssembly.Table({ initial: 1, element: "anyfunc" });
  const stack = new WebAssembly.Global({ value: "i32", mutable: true }, first);
  const place = (value) => new WebAssembly.Global({ value: "i32", mutable: false }, value);
  const env = {
    memory, __indirect_function_table: table, __stack_pointer: stack, __memory_base: place(0), __table_base: place(0),
  };
  const { instance } = await WebAssembly.instantiate(bytes, { env });
  let free = first;
  const room = (count) => {
    free += 8 * count;
    return free - 8 * count;
  };
  const given = room(Math.max(PARAMETERS.length, 1));
  const view = (address, count) => new Float64Array(memory.buffer, address, count);
  const call = (entry, place, addresses) => {
    new BigInt64Array(memory.buffer, place, addresses.length).set(addresses.map(BigInt));
    instance.exports[entry](BigInt(place));
  };
  const functions = {};
  for (const [name, { entry, maker, sizes }] of Object.entries(FUNCTIONS)) {
    const arrays = Object.values(sizes).map((count) => [room(count), count]);
    const place = room(arrays.length + 2);
    const [[constants]] = arrays, [result, size] = arrays[arrays.length - 1];
    let known = null;
    functions[name] = (p, ...inputs) => {
      if (known !== p) {
        view(given, PARAMETERS.length).set(p);
        call(maker, place, [given, constants]);
        known = p;
      }
      inputs.forEach((values, k) => view(...arrays[k + 1]).set(values));
      call(entry, place, arrays.map(([address]) => address));
      return view(result, size).slice();
    };
  }
  return functions;
}
