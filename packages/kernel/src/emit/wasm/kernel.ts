import { defect } from '@gradsim/base';
import type { Block, Node, Region, ResultNode, WordNode } from '../../form/nodes.ts';
import { scalarOf } from '../../form/types.ts';
import { isRegion } from '../../form/walk.ts';
import type { PlacedArrays } from '../arrays.ts';
import type { BoundKernel, Store } from '../bound-kernel.ts';
import { byBlock } from '../bound-kernel.ts';
import type { ArrayOperands } from './arrays.ts';
import { Arrays } from './arrays.ts';
import type { WasmType } from './format/encoder.ts';
import { Code } from './format/encoder.ts';
import { SCALAR_OPCODES, SIMD_OPCODES } from './format/opcodes.ts';
import { steps, wordsOfWhole } from './lane-code.ts';
import type { Lanes } from './lanes.ts';
import type { WordOperands } from './memory/addresses.ts';
import { Addresses } from './memory/addresses.ts';
import { Loads } from './memory/loads.ts';
import type { ConstantPool, MemoryPlan } from './memory/memory.ts';
import { constantWords } from './memory/memory.ts';
import { Stores } from './memory/stores.ts';
import type { Naming } from './naming.ts';
import { codeOf } from './operations.ts';
import { writeRegion } from './regions/regions.ts';
import type { RegionWriter } from './regions/writer.ts';
import type { Shape, Shapes } from './shape.ts';

/** Index of the function parameter with the first invocation. */
const BEGIN_PARAM = 0;
/** Index of the function parameter with the invocation after the last. */
const END_PARAM = 1;
/** Index of the function parameter with the byte address of the current register row. */
const REGISTER_ROW = 2;
/** Index of the function parameter with the byte address of the kernel's row of base addresses and limits. */
const PLACE_ROW = 3;
/** Returns whether the dispatch provides a value, so that no code computes it. */
const isGiven = (node: Node): boolean => node.op === 'builtin' || node.op === 'register';

/** Values cached within one block, and the locals that are released at its end. */
interface Scope {
  readonly locals: number[];
  /** Locals by the key of the value that they hold; created on first use. */
  cachedLocals: Map<string, number> | null;
}

/** Properties that the kernels of a module share. */
export interface ModuleParts {
  readonly lanes: Lanes;
  readonly plan: MemoryPlan;
  readonly pool: ConstantPool;
  /** Function numbers of the imported host functions, by the unique name `called` of the overload. */
  readonly hosts: ReadonlyMap<string, number>;
}

/** Kernels with the same code, and the analysis of that code, which is the same for any SIMD width. */
export interface StudiedKernels {
  /** Kernels that one function serves. */
  readonly kernels: readonly BoundKernel[];
  readonly shapes: Shapes;
  readonly naming: Naming;
  readonly arrays: PlacedArrays;
}

/** A kernel function; `rowOf` returns the row of numbers that it takes for each kernel, if it serves several. */
export interface KernelCode {
  readonly code: Code;
  readonly rowOf: (kernel: BoundKernel) => number[];
}

export const paramsOf = (kernels: readonly BoundKernel[]): number => (kernels.length > 1 ? 4 : 3);

/**
 * Writes a bound kernel as a function `(begin, end, row)` over invocations, one at a time (`width` 1) or one per lane
 * (`begin` and `end` multiples of the lanes). `row` is the byte address of the registers. A function for several
 * kernels takes a fourth number: the byte address of the row of the kernel to run.
 *
 * Both forms come from one walk. A value that is the same in all lanes, or grows by a fixed stride from lane to lane,
 * is kept as one scalar; all others become vectors, of which there are none with a width of 1. Where lanes diverge at a
 * branch or loop, values are computed for all and masked. Values that do not depend on the invocation are computed
 * once, before the loop over invocations.
 */
export function writeKernels(kernels: StudiedKernels, parts: ModuleParts, width: number): KernelCode {
  const writer = new KernelWriter(kernels, parts, width);
  return { code: writer.write(), rowOf: (kernel) => writer.addresses.rowOf(kernel) };
}

class KernelWriter implements WordOperands, ArrayOperands, RegionWriter {
  readonly code: Code;
  readonly kernelName: string;
  readonly lanes: Lanes;
  readonly hosts: ReadonlyMap<string, number>;
  readonly #kernel: BoundKernel;
  readonly #shapes: Shapes;
  readonly #naming: Naming;
  readonly #stores: ReadonlyMap<Block, readonly Store[]>;
  readonly #plan: MemoryPlan;
  readonly #pool: ConstantPool;
  readonly #width: number;
  readonly addresses: Addresses;
  readonly #loads: Loads;
  readonly #writes: Stores;
  readonly arrays: Arrays;
  /** Local that holds the value of each node, by node number; undefined if none does. */
  #named: (number | undefined)[] = [];
  readonly #scopes: Scope[] = [];
  mask: number | null = null;
  #isOneLane = false;

  constructor(
    { kernels, shapes, naming, arrays }: StudiedKernels,
    { lanes, plan, pool, hosts }: ModuleParts,
    width: number,
  ) {
    const [kernel] = kernels;
    this.code = new Code(paramsOf(kernels));
    this.kernelName = kernel.name;
    this.lanes = lanes;
    this.hosts = hosts;
    this.#kernel = kernel;
    this.#shapes = shapes;
    this.#plan = plan;
    this.#pool = pool;
    this.#width = width;
    this.#naming = naming;
    this.#stores = byBlock(kernel.stores);
    this.arrays = new Arrays(this, arrays, width);
    this.addresses = new Addresses(this, plan, kernels, naming.words);
    this.#loads = new Loads(this, this.addresses);
    this.#writes = new Stores(this, this.addresses);
  }

  write(): Code {
    const { code } = this;
    this.inScope(() => {
      this.addresses.begin(PLACE_ROW);
      const { hoisted, isInline } = this.#naming;
      for (const node of hoisted) if (!isInline[node.id]) this.#define(node);
      code.block();
      code.get(BEGIN_PARAM);
      code.get(END_PARAM);
      code.byte(SCALAR_OPCODES.i32GeU);
      code.branchIf(0);
      code.loop();
      this.inScope(() => this.block(this.#kernel.root));
      code.get(BEGIN_PARAM);
      code.i32(this.#width);
      code.byte(SCALAR_OPCODES.i32Add);
      code.tee(BEGIN_PARAM);
      code.get(END_PARAM);
      code.byte(SCALAR_OPCODES.i32LtU);
      code.branchIf(0);
      code.end();
      code.end();
    });
    return code;
  }

  shape(node: Node): Shape {
    return this.#shapes.get(node)!;
  }
  isVector(node: Node): boolean {
    return this.#width > 1 && !this.#isOneLane && this.shape(node).stride === null;
  }
  differs(node: Node): boolean {
    return this.#width > 1 && this.shape(node).stride !== 0;
  }
  typeOf(node: Node): WasmType {
    if (this.isVector(node)) return 'v128';
    return scalarOf(node.type) === 'f32' ? this.lanes.float : 'i32';
  }

  inScope(write: () => void): void {
    const scope: Scope = { locals: [], cachedLocals: null };
    this.#scopes.push(scope);
    write();
    this.#scopes.pop();
    for (const local of scope.locals) this.code.release(local);
  }
  oneLane(write: () => void): void {
    const known = this.#named.slice();
    this.#isOneLane = true;
    this.inScope(write);
    this.#isOneLane = false;
    // Each lane computes its own values.
    this.#named = known;
  }
  row(word: WordNode, part: number): void {
    this.#loads.loadRow(word, part);
  }
  local(type: WasmType): number {
    const local = this.code.local(type);
    this.#scopes.at(-1)!.locals.push(local);
    return local;
  }
  withLocal(type: WasmType, write: (local: number) => void): void {
    const local = this.code.local(type);
    this.code.set(local);
    write(local);
    this.code.release(local);
  }
  cachedLocal(key: string, type: 'i32' | 'v128', write: () => void): number {
    for (let k = this.#scopes.length - 1; k >= 0; k--) {
      const known = this.#scopes[k].cachedLocals?.get(key);
      if (known !== undefined) return known;
    }
    write();
    const local = this.local(type);
    this.code.set(local);
    const scope = this.#scopes[this.#scopes.length - 1];
    scope.cachedLocals ??= new Map();
    scope.cachedLocals.set(key, local);
    return local;
  }

  /** Pushes a value as a scalar if it is kept as one, else as a vector. */
  #value(node: Node): void {
    if (this.isVector(node)) this.vector(node);
    else this.scalar(node);
  }

  scalar(node: Node): void {
    const { code } = this;
    const local = this.#named[node.id];
    if (local !== undefined) code.get(local);
    else if (node.op === 'const') {
      if (node.type === 'f32') code.float(this.lanes.float, node.value);
      else code.i32(node.value);
    } else if (node.op === 'word') this.#loads.loadScalar(node);
    else if (node.op === 'builtin') code.get(BEGIN_PARAM);
    else if (node.op === 'register') {
      code.get(REGISTER_ROW);
      code.memory(SCALAR_OPCODES.i32Load, 4 * this.#kernel.registers.indexOf(node.register));
    } else if (node.op === 'pure') codeOf(this, node).scalar(this, node);
    else throw defect(`kernel ${this.kernelName} uses a ${node.op} that has no local`);
  }

  vector(node: Node): void {
    if (!this.isVector(node)) this.#pushSplat(node);
    else {
      const local = this.#named[node.id];
      if (local !== undefined) this.code.get(local);
      else if (node.op === 'word') this.#loads.loadVector(node);
      else if (node.op === 'pure') codeOf(this, node).vector(this, node);
      else throw defect(`kernel ${this.kernelName} uses a ${node.op} that has no local`);
    }
  }

  /** Pushes, as a vector, a value that is kept as a scalar. */
  #pushSplat(node: Node): void {
    const { code } = this;
    if (node.op === 'const') this.#constant(constantWords(node, this.lanes));
    else if (this.#named[node.id] !== undefined || isGiven(node)) code.get(this.#keepSpread(node));
    else this.#splat(node);
  }
  #keepSpread(node: Node): number {
    return this.cachedLocal(`spread ${node.id}`, 'v128', () => this.#splat(node));
  }

  constant(value: number): void {
    this.#constant(wordsOfWhole(this.lanes, value));
  }
  /** Pushes a vector constant; each lane consists of these words. */
  #constant(words: readonly number[]): void {
    const { code } = this;
    if (words.every((word) => word === 0)) {
      code.simd(SIMD_OPCODES.constant);
      for (let k = 0; k < 16; k++) code.byte(0);
      return;
    }
    code.i32(0);
    code.simdMemory(this.lanes.loadSplat, this.#plan.pool + 4 * this.#pool.position(words));
  }

  #splat(node: Node): void {
    const { code } = this;
    if (node.type === 'bool') code.i32(0);
    this.scalar(node);
    if (node.type === 'bool') code.byte(SCALAR_OPCODES.i32Sub);
    code.simd(node.type === 'f32' ? this.lanes.splat : SIMD_OPCODES.i32x4Splat);
    const stride = this.shape(node).stride!;
    if (stride === 0) return;
    code.simd(SIMD_OPCODES.constant);
    code.bytes(steps(this.lanes, stride));
    code.simd(SIMD_OPCODES.i32x4Add);
  }

  #define(node: Node): void {
    this.#value(node);
    this.name(node);
    // Its vector is made here, once, and not in every iteration where it is needed.
    const { isHoisted, isSpread } = this.#naming;
    if (this.#width > 1 && isHoisted[node.id] && isSpread[node.id]) this.#keepSpread(node);
  }

  /** Pops a node's value into a local. */
  name(node: Node): number {
    const local = this.local(this.typeOf(node));
    this.code.set(local);
    this.keepIn(node, local);
    return local;
  }
  keepIn(node: Node, local: number): void {
    this.#named[node.id] = local;
  }
  stores(block: Block): boolean {
    return this.#stores.has(block);
  }
  resultsOf(region: Region): readonly ResultNode[] {
    return this.#naming.results.get(region) ?? [];
  }

  block(of: Block): void {
    for (const node of of.nodes) {
      if (isRegion(node)) writeRegion(this, node);
      else if (node.op === 'fill') this.arrays.fill(node);
      else if (node.op === 'set') this.arrays.set(node);
      else if (node.op === 'get') {
        this.arrays.get(node);
        this.name(node);
      } else if (
        !this.#naming.isInline[node.id] &&
        !this.#naming.isHoisted[node.id] &&
        (node.op === 'word' || node.op === 'pure')
      )
        this.#define(node);
    }
    this.#storeAll(of);
  }

  /** Computes all values before storing the first: a kernel reads the fields as they were before it ran. */
  #storeAll(of: Block): void {
    const stores = this.#stores.get(of);
    if (!stores) return;
    for (const { address, value } of stores) {
      for (const node of [address, value]) {
        if (node.op === 'const' || isGiven(node) || this.#named[node.id] !== undefined) continue;
        this.#value(node);
        this.name(node);
      }
    }
    const adding = stores.filter(({ adds }) => adds);
    if (this.#width === 1) this.#writes.addScalars(adding);
    else if (adding.length > 0) this.#writes.addLanes(adding, this.mask);
    for (let k = 0; k < stores.length; k++) {
      const store = stores[k];
      if (store.adds) continue;
      const value = (): void => this.vector(store.value);
      if (this.#width === 1) this.#writes.storeScalar(store, () => this.scalar(store.value));
      else if (this.mask !== null) this.#writes.storeMasked(store, value, this.mask);
      else if (this.#writes.isPair(store, stores[k + 1])) {
        const next = stores[++k];
        this.#writes.storePairs(store, () => {
          value();
          this.vector(next.value);
        });
      } else this.#writes.storeVector(store, value);
    }
  }
}
