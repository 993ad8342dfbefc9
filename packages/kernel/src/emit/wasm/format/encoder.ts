/**
 * Encoder of the WebAssembly binary format, as far as generated kernels need it. Source: WebAssembly core specification
 * 2.0, chapter 5 (binary format).
 */

import type { ByteArray } from './byte-array.ts';

const VALUE_TYPE = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
export type WasmType = keyof typeof VALUE_TYPE;

/**
 * Maximum number of pages that modules declare for a shared memory: the format's limit, so that any memory is accepted.
 */
const MAX_PAGES = 65536;
/** WebAssembly's block type without a result. */
const EMPTY_BLOCK = 0x40;
/** First byte of WebAssembly's SIMD instructions. */
const SIMD_PREFIX = 0xfd;
/** First byte of WebAssembly's saturating conversions and bulk memory instructions. */
const SATURATING_PREFIX = 0xfc;
/** Opcode of `i8x16.shuffle`, after the SIMD prefix. */
const SHUFFLE = 0x0d;
/** First byte of WebAssembly's atomic instructions. */
const ATOMIC_PREFIX = 0xfe;

/** Initial capacity of a byte list, and the maximum size of a buffer that the pool keeps, in bytes. */
const [FIRST_CAPACITY, LARGEST_SPARE] = [1024, 2 ** 16];
/** Pool of free byte lists: a module is made of hundreds, and allocating one costs more than filling it. */
const freeLists: ByteArray[] = [];

const NO_BYTES = new Uint8Array(0);

/** A growing list of bytes with the format's integer encodings. */
export class Bytes {
  #buffer = freeLists.pop() ?? new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  /** View of the bytes so far, valid until more are added. */
  get written(): ByteArray {
    return this.#buffer.subarray(0, this.#length);
  }
  /** Ends the list and returns its buffer to the pool. */
  close(): void {
    if (this.#buffer.length <= LARGEST_SPARE) freeLists.push(this.#buffer);
    this.#buffer = NO_BYTES;
    this.#length = 0;
  }
  /** Returns a copy of all bytes and ends the list. */
  takeBytes(): ByteArray {
    const takeBytes = this.written.slice();
    this.close();
    return takeBytes;
  }

  byte(value: number): void {
    if (this.#length === this.#buffer.length) this.#grow(1);
    this.#buffer[this.#length++] = value;
  }
  bytes(values: ArrayLike<number>): void {
    if (this.#length + values.length > this.#buffer.length) this.#grow(values.length);
    this.#buffer.set(values, this.#length);
    this.#length += values.length;
  }
  #grow(more: number): void {
    const larger = new Uint8Array(Math.max(2 * this.#buffer.length, this.#length + more));
    larger.set(this.written);
    this.#buffer = larger;
  }
  /** Appends an integer below 2^32 as unsigned LEB128. */
  unsigned(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }
  /** Appends a 32 bit integer as signed LEB128. */
  signed(value: number): void {
    let rest = value | 0;
    while (rest < -0x40 || rest >= 0x40) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.byte(rest & 0x7f);
  }
  name(text: string): void {
    const encoded = new TextEncoder().encode(text);
    this.unsigned(encoded.length);
    this.bytes(encoded);
  }
}

const floatBytes = new DataView(new ArrayBuffer(8));
/** Size of a SIMD vector, bytes. */
const VECTOR_BYTES = 16;

/** Instructions of one function. Local variables are allocated by type and can be released. */
export class Code extends Bytes {
  readonly #params: number;
  readonly #locals: WasmType[] = [];
  readonly #free: Record<WasmType, number[]> = { i32: [], i64: [], f32: [], f64: [], v128: [] };

  constructor(params: number) {
    super();
    this.#params = params;
  }

  local(type: WasmType): number {
    const known = this.#free[type].pop();
    if (known !== undefined) return known;
    this.#locals.push(type);
    return this.#params + this.#locals.length - 1;
  }
  release(local: number): void {
    this.#free[this.#locals[local - this.#params]].push(local);
  }

  drop(): void {
    this.byte(0x1a);
  }
  get(local: number): void {
    this.byte(0x20);
    this.unsigned(local);
  }
  set(local: number): void {
    this.byte(0x21);
    this.unsigned(local);
  }
  globalGet(global: number): void {
    this.byte(0x23);
    this.unsigned(global);
  }
  tee(local: number): void {
    this.byte(0x22);
    this.unsigned(local);
  }
  i32(value: number): void {
    this.byte(0x41);
    this.signed(value);
  }
  /** Pushes a 64 bit integer constant, given by a number within the range of i32. */
  i64(value: number): void {
    this.byte(0x42);
    this.signed(value);
  }
  float(type: 'f32' | 'f64', value: number): void {
    if (type === 'f32') floatBytes.setFloat32(0, value, true);
    else floatBytes.setFloat64(0, value, true);
    this.byte(type === 'f32' ? 0x43 : 0x44);
    for (let k = 0; k < (type === 'f32' ? 4 : 8); k++) this.byte(floatBytes.getUint8(k));
  }
  simd(opcode: number): void {
    this.byte(SIMD_PREFIX);
    this.unsigned(opcode);
  }
  saturating(opcode: number): void {
    this.byte(SATURATING_PREFIX);
    this.byte(opcode);
  }
  /**
   * Emits a load or store of at least 4 bytes; its address is the sum of the one on the stack and `offset`, in bytes.
   */
  memory(opcode: number, offset: number): void {
    this.byte(opcode);
    this.byte(2);
    this.unsigned(offset);
  }
  simdMemory(opcode: number, offset: number): void {
    this.simd(opcode);
    this.byte(2);
    this.unsigned(offset);
  }
  simdLaneMemory(opcode: number, offset: number, lane: number): void {
    this.simdMemory(opcode, offset);
    this.byte(lane);
  }
  simdLane(opcode: number, lane: number): void {
    this.simd(opcode);
    this.byte(lane);
  }
  /** Emits a 32 bit atomic instruction; its byte address lies below the other operands on the stack, plus `offset`. */
  atomic(opcode: number, offset: number): void {
    this.bytes([ATOMIC_PREFIX, opcode, 2]);
    this.unsigned(offset);
  }
  /** Emits a 64 bit atomic instruction. */
  atomicLong(opcode: number, offset: number): void {
    this.bytes([ATOMIC_PREFIX, opcode, 3]);
    this.unsigned(offset);
  }
  return(): void {
    this.byte(0x0f);
  }
  /**
   * Shuffles the 32 bit words of the two vectors on the stack: numbers below 4 pick from the first, others from the
   * second.
   */
  shuffle(words: readonly number[]): void {
    const bytes = VECTOR_BYTES / words.length;
    this.simd(SHUFFLE);
    for (const word of words) for (let byte = 0; byte < bytes; byte++) this.byte(word * bytes + byte);
  }
  /** Selects between two values of the given type by the condition on top of the stack. */
  select(type: WasmType): void {
    this.bytes([0x1c, 1, VALUE_TYPE[type]]);
  }

  block(): void {
    this.byte(0x02);
    this.byte(EMPTY_BLOCK);
  }
  loop(): void {
    this.byte(0x03);
    this.byte(EMPTY_BLOCK);
  }
  if(): void {
    this.byte(0x04);
    this.byte(EMPTY_BLOCK);
  }
  else(): void {
    this.byte(0x05);
  }
  end(): void {
    this.byte(0x0b);
  }
  branch(depth: number): void {
    this.byte(0x0c);
    this.unsigned(depth);
  }
  branchIf(depth: number): void {
    this.byte(0x0d);
    this.unsigned(depth);
  }
  call(index: number): void {
    this.byte(0x10);
    this.unsigned(index);
  }

  /**
   * Returns the body as in the code section: size, local variables, instructions. Nothing can be appended afterwards.
   */
  body(): ByteArray {
    const head = new Bytes();
    const runs: { type: WasmType; count: number }[] = [];
    for (const type of this.#locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    head.unsigned(runs.length);
    for (const { type, count } of runs) {
      head.unsigned(count);
      head.byte(VALUE_TYPE[type]);
    }
    const out = new Bytes();
    out.unsigned(head.length + this.length + 1);
    out.bytes(head.written);
    out.bytes(this.written);
    out.byte(0x0b);
    head.close();
    this.close();
    return out.takeBytes();
  }
}

export interface FunctionSpec {
  /** Types of the parameters; functions return no value. */
  readonly params: readonly WasmType[];
  readonly body: Uint8Array;
  /** Name under which the module exports the function; undefined if it does not. */
  readonly exported?: string;
}

/** A host function, imported as `host.name`, that returns one value. */
export interface ImportSpec {
  readonly name: string;
  readonly params: readonly WasmType[];
  readonly result: WasmType;
}

/**
 * Encodes a module of functions over one memory, imported as `env.memory` with at least `pages` pages of 64 KiB; shared
 * between threads if `isShared`. Global 0 is an immutable import, `env.arrays`. Imported functions are numbered before
 * all others.
 */
export function encodeModule(
  imports: readonly ImportSpec[],
  functions: readonly FunctionSpec[],
  pages: number,
  isShared = false,
): ByteArray {
  const out = new Bytes();
  out.bytes([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const section = (id: number, write: (content: Bytes) => void): void => {
    const content = new Bytes();
    write(content);
    out.byte(id);
    out.unsigned(content.length);
    out.bytes(content.written);
    content.close();
  };
  const types = new Map<string, Signature>();
  const typeOf = (params: readonly WasmType[], results: readonly WasmType[]): number => {
    const key = `${params} ${results}`;
    const known = types.get(key) ?? { params, results, index: types.size };
    types.set(key, known);
    return known.index;
  };
  const typesOfImports = imports.map(({ params, result }) => typeOf(params, [result]));
  const typesOfFunctions = functions.map(({ params }) => typeOf(params, []));
  section(1, (s) => {
    s.unsigned(types.size);
    for (const { params, results } of types.values()) {
      s.byte(0x60);
      for (const list of [params, results]) {
        s.unsigned(list.length);
        for (const type of list) s.byte(VALUE_TYPE[type]);
      }
    }
  });
  section(2, (s) => {
    s.unsigned(2 + imports.length);
    s.name('env');
    s.name('arrays');
    s.bytes([0x03, VALUE_TYPE.i32, 0x00]);
    s.name('env');
    s.name('memory');
    s.bytes([0x02, isShared ? 0x03 : 0x00]);
    s.unsigned(pages);
    if (isShared) s.unsigned(MAX_PAGES);
    imports.forEach(({ name }, k) => {
      s.name('host');
      s.name(name);
      s.byte(0x00);
      s.unsigned(typesOfImports[k]);
    });
  });
  section(3, (s) => {
    s.unsigned(functions.length);
    for (const type of typesOfFunctions) s.unsigned(type);
  });
  section(7, (s) => {
    const exported = functions.filter((f) => f.exported !== undefined);
    s.unsigned(exported.length);
    for (const f of exported) {
      s.name(f.exported!);
      s.byte(0x00);
      s.unsigned(imports.length + functions.indexOf(f));
    }
  });
  section(10, (s) => {
    s.unsigned(functions.length);
    for (const { body } of functions) s.bytes(body);
  });
  return out.takeBytes();
}

interface Signature {
  readonly params: readonly WasmType[];
  readonly results: readonly WasmType[];
  readonly index: number;
}
