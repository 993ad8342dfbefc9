import { isOnGrids, pointTypeOf } from './grids.ts';
import { drawArrays } from './local-arrays.ts';
import { OPERATIONS, softOf } from './operations.ts';
import type {
  Around,
  Block,
  Degree,
  FloatType,
  GridSpec,
  GridUse,
  Param,
  PortSpec,
  Statement,
  Type,
} from './program.ts';
import { COMPONENTS, isFloat } from './program.ts';
import type { Random } from './random.ts';

/** A value that later statements can use as an argument. */
export interface Known {
  readonly id: number;
  readonly type: Type;
  /** True if the value may depend on a parameter. */
  readonly varies: boolean;
  /** For entries of index fields: the domain that they point into. */
  readonly target?: string;
}

/** A port to read, and properties of its field. */
export interface Readable {
  readonly port: PortSpec;
  readonly varies: boolean;
  /** Number of elements of the field's domain. */
  readonly size: number;
  /** The grid that the field's domain is, if it is one. */
  readonly grid?: GridSpec;
}

const NAMES = Object.keys(OPERATIONS).filter((name) => !OPERATIONS[name].isAtZero);
const ofResult = new Map<Type, string[]>();
for (const name of NAMES) {
  const { result } = OPERATIONS[name];
  ofResult.set(result, [...(ofResult.get(result) ?? []), name]);
}
/**
 * Operations whose arguments must not depend on parameters. Such arguments are rare, so these operations are tried
 * wherever one exists.
 */
const FOR_CONSTANTS = NAMES.filter((name) => OPERATIONS[name].isForConstants);

/** A block, and whether its results may depend on a parameter. */
interface Inner {
  readonly block: Block;
  readonly varies: boolean;
}

const TO_F32 = {
  vec2: 'vec2.norm',
  vec3: 'vec3.norm',
  vec4: 'vec4.norm',
  mat22: 'mat22.trace',
  mat33: 'mat33.trace',
  quat: 'quat.w',
} as const;

/** Name of the operation that multiplies a value of a type by a number. */
const scaleOf = (type: FloatType): string => (type === 'f32' ? 'f32.mul' : `${type}.scale`);

/** Form in which a loop over a range is written: one that folds a single value, at times, without another draw. */
function rangeOf(types: readonly Type[], id: number): 'forRange' | 'sumOver' | 'productOver' | 'maxOver' {
  if (types.length > 1) return 'forRange';
  if (id % 8 === 1) return 'sumOver';
  if (id % 8 === 3) return 'productOver';
  return id % 8 === 5 && types[0] === 'f32' ? 'maxOver' : 'forRange';
}

/** Draws the random statements of one kernel. */
export class BodyWriter {
  readonly #random: Random;
  /** True to draw only what a hand-written adjoint supports: inputs and outputs are floats. */
  readonly #isPure: boolean;
  readonly #duration: number;
  #nextId = 0;
  #statements: Statement[] = [];
  #known: Known[] = [];
  #depth = 0;
  /** Fields that may be read at any index, even one known only at run time. */
  #tables: Readable[] = [];
  /** Fields to read at other elements than the own one, each with indices known before the run. */
  readonly #elsewhere: (Readable & { readonly at: readonly Known[] })[] = [];
  readonly #byId = new Map<number, Known>();

  constructor(random: Random, { isPure = false, duration = 1 } = {}) {
    this.#random = random;
    this.#isPure = isPure;
    this.#duration = duration;
  }

  get statements(): readonly Statement[] {
    return this.#statements;
  }

  #add(type: Type, op: string, args: readonly Known[], extra: Partial<Statement> = {}, varies?: boolean): Known {
    const id = this.#nextId++;
    this.#statements.push({ id, type, op, args: args.map((a) => a.id), ...extra });
    return this.#know({ id, type, varies: varies ?? args.some((a) => a.varies) });
  }

  #know(known: Known): Known {
    this.#known.push(known);
    this.#byId.set(known.id, known);
    return known;
  }

  /**
   * Loads a port, at the own element or at one index or several; returns the first value loaded, or null if none fits.
   */
  load(readable: Readable, indices: readonly Known[] = []): Known | null {
    const { port, varies } = readable;
    const { kind, name, type } = port;
    if (kind === 'own' || kind === 'perWorld') return this.#add(type, 'load', [], { port: name }, varies);
    if (kind === 'on') {
      const fitting = indices.filter((i) => i.target === port.domain);
      if (!this.#isPure) this.#tables.push(readable);
      if (fitting.length === 0) return null;
      if (!this.#isPure) this.#elsewhere.push({ ...readable, at: fitting });
      const chosen = this.#random.some(fitting, 0.5);
      if (chosen.length === 0) chosen.push(this.#random.pick(fitting));
      return chosen.map((at) => this.#add(type, 'loadAt', [at], { port: name }, varies))[0];
    }
    return null;
  }

  /** Loads the entries of a port of an index field. */
  index({ port, size }: Readable): Known[] {
    if (port.kind === 'indexOn') {
      const at = this.wrapped(size);
      const entry = this.#add('u32', 'indexAt', [at], { port: port.name }, false);
      return [this.#target(entry, port.target!)];
    }
    return Array.from({ length: port.count! }, (_, component) =>
      this.#target(this.#add('u32', 'index', [], { port: port.name, component }, false), port.target!),
    );
  }

  #target(entry: Known, target: string): Known {
    const known = { ...entry, target };
    // An adjoint written by hand takes no whole numbers into its function.
    if (this.#isPure) this.#known.splice(this.#known.indexOf(entry), 1);
    else this.#known[this.#known.indexOf(entry)] = known;
    return known;
  }

  /** An index known before the run: the own element plus a constant, modulo `size`, or at times `NO_ELEMENT`. */
  computedIndex(domain: string, size: number): Known {
    const element = this.#add('u32', 'element', [], {}, false);
    const moved = this.#add('u32', 'u32.add', [element, this.#literal('u32', [this.#random.whole(0, 5)])]);
    const op = this.#random.chance(0.2) ? 'orNone' : 'wrap';
    return this.#target(this.#add('u32', op, [moved], { literal: [size] }, false), domain);
  }

  /** An index that is known only at run time: below `size`, or at times `NO_ELEMENT`. */
  foundIndex(size: number): Known {
    return this.#add('u32', this.#random.chance(0.2) ? 'orNone' : 'wrap', [this.pick('u32')], {
      literal: [size],
    });
  }

  /** Draws branches and loops around an addition, at times nested. */
  around(): Around[] {
    const random = this.#random;
    const end = (): number => this.#add('u32', 'wrap', [this.pick('u32')], { literal: [4] }).id;
    const one = (): Around => {
      const p = random.next();
      if (p < 0.35) return { kind: 'when', condition: this.pick('bool').id };
      if (p < 0.6) {
        const from = random.whole(0, 2);
        return { kind: 'rounds', from, to: from + random.whole(0, 3) };
      }
      return p < 0.8 ? { kind: 'found', end: end() } : { kind: 'while', end: end() };
    };
    return Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, one);
  }

  /** Index of the own element modulo `size`. */
  wrapped(size: number): Known {
    const element = this.#add('u32', 'element', [], {}, false);
    return this.#add('u32', 'wrap', [element], { literal: [size] }, false);
  }

  #literal(type: Type, literal: readonly number[]): Known {
    return this.#add(type, 'literal', [], { literal }, false);
  }

  #fresh(type: Type): Known {
    const random = this.#random;
    if (type === 'bool') {
      const [a, b] = [this.pick('f32'), this.pick('f32')];
      return this.#add('bool', random.pick(['f32.lt', 'f32.ge']), [a, b]);
    }
    if (type === 'u32' && !this.#isPure && random.chance(0.6))
      return this.#add('u32', random.pick(['element', 'substep', 'frame', 'round']), [], {}, false);
    const whole = type === 'u32' || type === 'i32';
    if (type === 'mat22' || type === 'mat33') {
      const vector = type === 'mat22' ? 'vec2' : 'vec3';
      return this.#add(type, type, [this.pick('f32'), this.pick(vector)]);
    }
    const literal = Array.from({ length: COMPONENTS[type] }, () =>
      // Exact in single precision.
      whole ? random.whole(0, 6) : Math.round(random.between(-1.5, 1.5) * 32) / 32,
    );
    // The values that folding looks for.
    if (type === 'f32' && random.chance(0.3)) literal[0] = random.pick([0, 1, -1]);
    return this.#literal(type, literal);
  }

  /**
   * Picks a value of a type: usually one that exists, else a new one. With `isForConstants`, one that depends on no
   * parameter.
   */
  pick(type: Type, isForConstants = false): Known {
    const known = this.#known.filter((k) => k.type === type && !(isForConstants && k.varies));
    const varying = known.filter((k) => k.varies);
    const fitting = varying.length > 0 && this.#random.chance(0.8) ? varying : known;
    if (fitting.length > 0 && this.#random.chance(0.92)) return this.#random.pickLate(fitting);
    if (isForConstants) return this.#literal('f32', [Math.round(this.#random.between(-1, 1) * 8) / 8]);
    const makers = ofResult.get(type) ?? [];
    if (fitting.length === 0 && isFloat(type) && type !== 'f32' && this.#depth < 4 && this.#random.chance(0.7))
      return this.#apply(this.#random.pick(makers));
    return this.#fresh(type);
  }

  #apply(name: string): Known {
    const { args, result, isForConstants } = OPERATIONS[name];
    this.#depth++;
    const given = args.map((type) => this.pick(type, isForConstants));
    this.#depth--;
    return this.#add(result, name, given);
  }

  /** Draws `count` statements. */
  draw(count: number): void {
    for (let k = 0; k < count; k++) this.#drawOne();
  }

  #drawOne(): void {
    const random = this.#random;
    const onGrids = this.#tables.filter(({ port, grid }) => grid && isOnGrids(port.type));
    if (onGrids.length > 0 && random.chance(0.25)) {
      this.#onGrid(random.pick(onGrids));
      return;
    }
    // Regions within regions, but not for ever.
    const p = this.#depth < 2 ? random.next() : random.between(0.16, 1);
    if (p < 0.05) this.#when();
    else if (p < 0.1) this.#forRange();
    else if (p < 0.13) this.#loop();
    else if (p < 0.145) this.#vjp();
    else if (p < 0.16) this.#array();
    else if (p < 0.19 && !this.#isPure) this.#covered();
    else if (p < 0.24 && !this.#isPure) this.#add('f32', random.pick(['dt', 'time']), [], {}, false);
    else if (p < 0.25 && this.#tables.length > 0) this.#loadAnywhere();
    else if (p < 0.35 && this.#elsewhere.length > 0) this.#loadHere();
    else if (p < 0.38) this.#apply(random.pick(FOR_CONSTANTS));
    else if (p < 0.42) this.#whole();
    else if (p < 0.46) this.#condition();
    else if (p < 0.6) this.#apply(random.pick(ofResult.get('f32')!));
    else this.#apply(random.pick(NAMES));
  }

  /** Draws a sum over the nodes near a point, or an operation at the own node or another one. */
  #onGrid({ port, varies, size, grid }: Readable): void {
    const random = this.#random;
    const extra = (use: Omit<GridUse, 'grid'> = {}) => ({ port: port.name, on: { grid: grid!, ...use } });
    if (random.chance(0.5)) {
      const { point, ...use } = this.pointNear(grid!);
      this.#add(port.type, 'nearSum', [point], extra(use), varies || point.varies);
      return;
    }
    const at = this.wrapped(size);
    const point = pointTypeOf(grid!);
    const p = random.next();
    if (p < 0.2) this.#add(point, 'nodePosition', [at], extra(), false);
    else if (p < 0.4 && port.type === 'f32') this.#add(point, 'gradient', [at], extra(), varies);
    else if (p < 0.6 && port.type === point) this.#add('f32', 'divergence', [at], extra(), varies);
    else if (p < 0.8) this.#add(port.type, 'laplacian', [at], extra(), varies);
    else this.#add(port.type, 'shift', [at], extra({ by: grid!.size.map(() => random.whole(-3, 3)) }), varies);
  }

  /** Draws a point, and the stencil of nodes around it. */
  pointNear(grid: GridSpec): { readonly point: Known; readonly degree: Degree; readonly isMoment: boolean } {
    const random = this.#random;
    // The 64 nodes of a cube take long to compile.
    const degree = random.whole(1, grid.size.length < 3 ? 3 : 2) as Degree;
    return { point: this.pick(pointTypeOf(grid)), degree, isMoment: random.chance(0.3) };
  }

  /** Draws operations on integers, and a float computed from their result. */
  #whole(): void {
    const type = this.#random.pick(['u32', 'i32'] as const);
    for (let k = this.#random.whole(1, 3); k > 0; k--) this.#apply(this.#random.pick(ofResult.get(type)!));
    const float = this.#add('f32', `${type}.toF32`, [this.pick(type)]);
    this.#add('f32', this.#random.pick(['f32.mul', 'f32.sub']), [this.pick('f32'), float]);
  }

  /** Draws a condition, and a value that it selects. */
  #condition(): void {
    for (let k = this.#random.whole(1, 2); k > 0; k--) this.#apply(this.#random.pick(ofResult.get('bool')!));
    this.#add('f32', 'f32.select', [this.pick('bool'), this.pick('f32'), this.pick('f32')]);
  }

  /** Loads a field at an index that is known only at run time. */
  #loadAnywhere(): void {
    const { port, varies, size } = this.#random.pick(this.#tables);
    const at = this.foundIndex(size);
    this.#add(port.type, 'loadAt', [at], { port: port.name }, varies);
  }

  /** Loads a field again at the current place in the code, at an index that is known before the run. */
  #loadHere(): void {
    const { port, varies, size, at } = this.#random.pick(this.#elsewhere);
    const index = this.#random.chance(0.5) ? this.#random.pick(at) : this.computedIndex(port.domain!, size);
    this.#add(port.type, 'loadAt', [index], { port: port.name }, varies);
  }

  #covered(): void {
    this.#add('f32', 'covered', [this.pick('f32'), this.pick('f32')], { literal: [this.#duration] });
  }

  /** Draws a nested block; values computed in it are visible only there. */
  #block(
    params: readonly (readonly [Type, boolean])[],
    write: (entering: readonly Known[]) => readonly Known[],
  ): Inner {
    const [outerStatements, outerKnown] = [this.#statements, this.#known];
    this.#statements = [];
    this.#known = [...outerKnown];
    this.#depth++;
    const entering = params.map(([type, varies]) => this.#know({ id: this.#nextId++, type, varies }));
    const given = write(entering);
    const varies = given.some((r) => r.varies);
    const block = {
      params: entering.map(({ id, type }): Param => ({ id, type })),
      statements: this.#statements,
      results: given.map((r) => r.id),
    };
    this.#depth--;
    this.#statements = outerStatements;
    this.#known = outerKnown;
    return { block, varies };
  }

  #inner(most: number): void {
    if (this.#elsewhere.length > 0 && this.#random.chance(0.2)) this.#loadHere();
    this.draw(this.#depth > 2 ? 1 : this.#random.whole(1, most));
  }

  #carried(): FloatType[] {
    return Array.from({ length: this.#random.whole(1, 2) }, () =>
      this.#random.chance(0.7) ? 'f32' : this.#random.pick(['vec2', 'vec3', 'quat']),
    );
  }

  #soft(value: Known): Known {
    return isFloat(value.type) ? this.#add(value.type, softOf(value.type), [value]) : value;
  }

  #region(op: string, types: readonly Type[], args: readonly Known[], inner: readonly Inner[]): void {
    const blocks = inner.map(({ block }) => block);
    const varies = [...args, ...inner].some((part) => part.varies);
    const region = this.#add(types[0], op, args, { blocks }, varies);
    types.slice(1).forEach((type, k) => {
      this.#add(type, 'take', [region], { component: k + 1 }, varies);
    });
  }

  #when(): void {
    const types = this.#carried();
    const condition = this.pick('bool');
    const elsewhere = this.#elsewhere.filter(({ port }) => isFloat(port.type));
    // At times both sides read the same element.
    const shared = elsewhere.length > 0 && this.#random.chance(0.3) ? this.#random.pick(elsewhere) : undefined;
    if (shared) types[0] = shared.port.type as FloatType;
    const at = shared && this.#random.pick(shared.at);
    const side = () =>
      this.#block([], () => {
        const read = shared && this.#add(shared.port.type, 'loadAt', [at!], { port: shared.port.name }, shared.varies);
        this.#inner(3);
        const given = types.map((type) => this.pick(type));
        if (read) given[0] = this.#add(types[0], `${types[0]}.add`, [given[0], read]);
        return given;
      });
    this.#region('when', types, [condition], [side(), side()]);
  }

  #forRange(): void {
    const types = this.#carried();
    const start = this.#literal('u32', [this.#random.whole(0, 1)]);
    // More rounds than an adjoint keeps checkpoints of, at times.
    const most = this.#depth === 0 && this.#random.chance(0.1) ? 150 : 4;
    const end = this.#random.chance(0.5)
      ? this.#literal('u32', [this.#random.whole(0, most)])
      : this.#add('u32', 'wrap', [this.pick('u32')], { literal: [most] });
    const starts = types.map((type) => this.pick(type));
    const params = [['u32', false], ...this.#entering(types, starts)] as const;
    const body = this.#block(params, ([counter]) => {
      this.#inner(most > 4 ? 1 : 3);
      const results = types.map((type) => this.#soft(this.pick(type)));
      // In a long loop each round is another one.
      return most > 4 ? results.map((value) => this.#byCounter(value, counter)) : results;
    });
    this.#region(most === 4 ? rangeOf(types, this.#nextId) : 'forRange', types, [start, end, ...starts], [body]);
  }

  /** Types of the values that enter a round, and whether they vary: from the second round on floats may, though the first begins with a constant. */
  #entering(types: readonly Type[], starts: readonly Known[]): (readonly [Type, boolean])[] {
    const isAnyVarying = this.#known.some((known) => known.varies);
    return types.map((type, k) => [type, starts[k].varies || (isFloat(type) && isAnyVarying)]);
  }

  /**
   * A value times a fraction that grows with the loop counter; the fraction stays below 1 however many rounds there
   * are.
   */
  #byCounter(value: Known, counter: Known): Known {
    const times = this.#add('f32', 'f32.mul', [
      this.#add('f32', 'u32.toF32', [counter]),
      this.#literal('f32', [1 / 512]),
    ]);
    const part = this.#add('f32', 'f32.add', [times, this.#literal('f32', [0.5])]);
    return this.#add(value.type, scaleOf(value.type as FloatType), [value, part]);
  }

  /** Draws a loop that ends at a count, or earlier by a condition on a carried value. */
  #loop(): void {
    const types = this.#carried();
    const isCounterFirst = this.#random.chance(0.5);
    const around = <T>(counter: T, others: readonly T[]): T[] =>
      isCounterFirst ? [counter, ...others] : [...others, counter];
    const carried = around<Type>('u32', types);
    const starts = around(
      this.#literal('u32', [0]),
      types.map((type) => this.pick(type)),
    );
    const params = this.#entering(carried, starts);
    const most = this.#random.whole(1, 4);
    const counterOf = (entering: readonly Known[]): Known => entering.at(isCounterFirst ? 0 : -1)!;
    const test = this.#block(params, (entering) => {
      const goesOn = this.#add('bool', 'u32.lt', [counterOf(entering), this.#literal('u32', [most])]);
      if (!this.#random.chance(0.5)) return [goesOn];
      const other = this.#add('bool', 'f32.lt', [this.pick('f32'), this.pick('f32')]);
      return [this.#add('bool', 'bool.and', [goesOn, other])];
    });
    const body = this.#block(params, (entering) => {
      this.#inner(3);
      const results = types.map((type) => this.#soft(this.pick(type)));
      const next = this.#add('u32', 'u32.add', [counterOf(entering), this.#literal('u32', [1])]);
      return around(next, results);
    });
    this.#region('loop', carried, starts, [test, body]);
  }

  /** Draws local arrays, a loop that uses them, and a value read from them. */
  #array(): void {
    const type = this.#carried()[0];
    const at = this.#add('u32', 'wrap', [this.pick('u32')], { literal: [7] });
    const given = [this.pick(type), this.pick(type)];
    const varies = given.some((each) => each.varies);
    const body = this.#block(
      [
        ['u32', false],
        [type, varies],
      ],
      () => {
        this.#inner(2);
        return [this.#soft(this.pick(type))];
      },
    );
    const literal = drawArrays(this.#random);
    this.#add(type, 'array', [at, ...given], { literal, blocks: [body.block] }, varies || body.varies);
  }

  /** Draws a `vjp` of a function of floats, and uses the resulting derivative as a value. */
  #vjp(): void {
    if (this.#depth > 1) return;
    const inputs = this.#carried();
    const outputs = this.#carried();
    const given = [...inputs, ...outputs].map((type) => this.pick(type));
    const inner = new BodyWriter(this.#random, { isPure: true });
    inner.#nextId = this.#nextId;
    inner.#depth = 2;
    const f = inner.#block(
      inputs.map((t) => [t, true] as const),
      () => {
        inner.draw(2);
        return outputs.map((type) => inner.pick(type));
      },
    );
    this.#nextId = inner.#nextId;
    const component = this.#random.whole(0, inputs.length - 1);
    this.#add(inputs[component], 'vjp', given, { blocks: [f.block], component });
  }

  /**
   * A value of a type for an output, of moderate size, from the latest ones; if possible one that depends on a
   * parameter.
   */
  result(type: Type): Known {
    if (isFloat(type)) {
      let value = this.#varying(type) ?? this.pick(type);
      // What was loaded first is of use as well.
      for (let k = this.#random.whole(0, 2); k > 0; k--) {
        const other = this.#loaded(type);
        if (other) value = this.#add(type, `${type}.add`, [value, other]);
      }
      return this.#soft(value);
    }
    const value = this.pick(type);
    return type === 'u32' ? this.#add('u32', 'wrap', [value], { literal: [9] }) : value;
  }

  /** An integer that changes from substep to substep. */
  found(): Known {
    const substep = this.#add('u32', 'substep', [], {}, false);
    const sum = this.#add('u32', 'u32.add', [this.result('u32'), substep]);
    return this.#add('u32', 'wrap', [sum], { literal: [9] });
  }

  /**
   * A loaded value that depends on a parameter: for f32 a component of any, for other types one of that type; null if
   * there is none.
   */
  #loaded(type: FloatType): Known | null {
    const loads = this.#statements.filter((s) => s.op === 'load' || s.op === 'loadAt');
    const varying = this.#known.filter((k) => k.varies && loads.some((s) => s.id === k.id));
    const fitting = varying.filter((k) => (type === 'f32' ? isFloat(k.type) : k.type === type));
    if (fitting.length === 0) return null;
    const value = this.#random.pick(fitting);
    if (value.type === type) return value;
    return this.#add('f32', TO_F32[value.type as keyof typeof TO_F32], [value]);
  }

  #varying(type: FloatType): Known | null {
    const varying = this.#known.filter((k) => k.varies && isFloat(k.type));
    const same = varying.filter((k) => k.type === type);
    if (same.length > 0) return this.#random.pickLate(same);
    if (varying.length === 0) return null;
    if (type !== 'f32') {
      if (!this.#varying('f32')) return null;
      return this.#apply(type);
    }
    const source = this.#random.pickLate(varying);
    return this.#add('f32', TO_F32[source.type as keyof typeof TO_F32], [source]);
  }

  /** The hyperbolic tangent of a loaded value. */
  tanhOf(id: number): Known {
    return this.#add('f32', 'tanh', [this.#byId.get(id)!]);
  }

  /**
   * A value that depends on the round of the loop, unless the kernel has a hand-written adjoint, which takes only
   * floats.
   */
  byRound(value: Known): Known {
    if (this.#isPure) return value;
    const round = this.#add('f32', 'u32.toF32', [this.#add('u32', 'round', [], {}, false)]);
    const type = value.type as FloatType;
    const part = this.#add('f32', 'f32.mul', [round, this.#literal('f32', [0.25])]);
    return this.#add(type, `${type}.add`, [value, this.#add(type, scaleOf(type), [value, part])]);
  }

  /** A contracting step: a fraction of the value `from` plus a fraction of `to`. */
  step(from: Known, to: Known): Known {
    const type = from.type as FloatType;
    const scale = (value: Known, by: number): Known => {
      return this.#add(type, scaleOf(type), [value, this.#literal('f32', [by])]);
    };
    return this.#add(type, `${type}.add`, [scale(from, 0.75), scale(to, 0.5)]);
  }
}
