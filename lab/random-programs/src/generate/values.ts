import { OPERATIONS, softOf } from '../program/operations.ts';
import type { Around, FloatType, GridSpec, PortSpec, Statement, Type } from '../program/program.ts';
import { COMPONENTS, isFloat } from '../program/program.ts';
import type { Random } from '../random.ts';

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

/** Names of all operations, and those by the type of their result. */
export const NAMES = Object.keys(OPERATIONS).filter((name) => !OPERATIONS[name].isAtZero);
export const ofResult = new Map<Type, string[]>();
for (const name of NAMES) {
  const { result } = OPERATIONS[name];
  ofResult.set(result, [...(ofResult.get(result) ?? []), name]);
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
export const scaleOf = (type: FloatType): string => (type === 'f32' ? 'f32.mul' : `${type}.scale`);

/** Values of the body of one kernel: those that statements have computed so far, and random ones in addition. */
export class ValueWriter {
  protected readonly random: Random;
  /** True to draw only what a hand-written adjoint supports: inputs and outputs are floats. */
  protected readonly isPure: boolean;
  protected readonly duration: number;
  protected nextId = 0;
  protected written: Statement[] = [];
  protected known: Known[] = [];
  protected depth = 0;
  /** Fields that may be read at any index, even one known only at run time. */
  protected tables: Readable[] = [];
  /** Fields to read at other elements than the own one, each with indices known before the run. */
  protected readonly elsewhere: (Readable & { readonly at: readonly Known[] })[] = [];
  readonly #byId = new Map<number, Known>();

  constructor(random: Random, { isPure = false, duration = 1 } = {}) {
    this.random = random;
    this.isPure = isPure;
    this.duration = duration;
  }

  get statements(): readonly Statement[] {
    return this.written;
  }

  protected add(
    type: Type,
    op: string,
    args: readonly Known[],
    extra: Partial<Statement> = {},
    varies?: boolean,
  ): Known {
    const id = this.nextId++;
    this.written.push({ id, type, op, args: args.map((a) => a.id), ...extra });
    return this.know({ id, type, varies: varies ?? args.some((a) => a.varies) });
  }

  protected know(known: Known): Known {
    this.known.push(known);
    this.#byId.set(known.id, known);
    return known;
  }

  /**
   * Loads a port, at the own element or at one index or several; returns the first value loaded, or null if none fits.
   */
  load(readable: Readable, indices: readonly Known[] = []): Known | null {
    const { port, varies } = readable;
    const { kind, name, type } = port;
    if (kind === 'own' || kind === 'perWorld') return this.add(type, 'load', [], { port: name }, varies);
    if (kind === 'on') {
      const fitting = indices.filter((i) => i.target === port.domain);
      if (!this.isPure) this.tables.push(readable);
      if (fitting.length === 0) return null;
      if (!this.isPure) this.elsewhere.push({ ...readable, at: fitting });
      const chosen = this.random.some(fitting, 0.5);
      if (chosen.length === 0) chosen.push(this.random.pick(fitting));
      return chosen.map((at) => this.add(type, 'loadAt', [at], { port: name }, varies))[0];
    }
    return null;
  }

  /** Loads the entries of a port of an index field. */
  index({ port, size }: Readable): Known[] {
    if (port.kind === 'indexOn') {
      const at = this.wrapped(size);
      const entry = this.add('u32', 'indexAt', [at], { port: port.name }, false);
      return [this.#target(entry, port.target!)];
    }
    return Array.from({ length: port.count! }, (_, component) =>
      this.#target(this.add('u32', 'index', [], { port: port.name, component }, false), port.target!),
    );
  }

  #target(entry: Known, target: string): Known {
    const known = { ...entry, target };
    // An adjoint written by hand takes no whole numbers into its function.
    if (this.isPure) this.known.splice(this.known.indexOf(entry), 1);
    else this.known[this.known.indexOf(entry)] = known;
    return known;
  }

  /** An index known before the run: the own element plus a constant, modulo `size`, or at times `NO_ELEMENT`. */
  computedIndex(domain: string, size: number): Known {
    const element = this.add('u32', 'element', [], {}, false);
    const moved = this.add('u32', 'u32.add', [element, this.literal('u32', [this.random.whole(0, 5)])]);
    const op = this.random.chance(0.2) ? 'orNone' : 'wrap';
    return this.#target(this.add('u32', op, [moved], { literal: [size] }, false), domain);
  }

  /** An index that is known only at run time: below `size`, or at times `NO_ELEMENT`. */
  foundIndex(size: number): Known {
    return this.add('u32', this.random.chance(0.2) ? 'orNone' : 'wrap', [this.pick('u32')], {
      literal: [size],
    });
  }

  /** Draws branches and loops around an addition, at times nested. */
  around(): Around[] {
    const random = this.random;
    const end = (): number => this.add('u32', 'wrap', [this.pick('u32')], { literal: [4] }).id;
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
    const element = this.add('u32', 'element', [], {}, false);
    return this.add('u32', 'wrap', [element], { literal: [size] }, false);
  }

  protected literal(type: Type, literal: readonly number[]): Known {
    return this.add(type, 'literal', [], { literal }, false);
  }

  #fresh(type: Type): Known {
    const random = this.random;
    if (type === 'bool') {
      const [a, b] = [this.pick('f32'), this.pick('f32')];
      return this.add('bool', random.pick(['f32.lt', 'f32.ge']), [a, b]);
    }
    if (type === 'u32' && !this.isPure && random.chance(0.6))
      return this.add('u32', random.pick(['element', 'substep', 'frame', 'round']), [], {}, false);
    const whole = type === 'u32' || type === 'i32';
    if (type === 'mat22' || type === 'mat33') {
      const vector = type === 'mat22' ? 'vec2' : 'vec3';
      return this.add(type, type, [this.pick('f32'), this.pick(vector)]);
    }
    const literal = Array.from({ length: COMPONENTS[type] }, () =>
      // Exact in single precision.
      whole ? random.whole(0, 6) : Math.round(random.between(-1.5, 1.5) * 32) / 32,
    );
    // The values that folding looks for.
    if (type === 'f32' && random.chance(0.3)) literal[0] = random.pick([0, 1, -1]);
    return this.literal(type, literal);
  }

  /**
   * Picks a value of a type: usually one that exists, else a new one. With `isForConstants`, one that depends on no
   * parameter.
   */
  pick(type: Type, isForConstants = false): Known {
    const known = this.known.filter((k) => k.type === type && !(isForConstants && k.varies));
    const varying = known.filter((k) => k.varies);
    const fitting = varying.length > 0 && this.random.chance(0.8) ? varying : known;
    if (fitting.length > 0 && this.random.chance(0.92)) return this.random.pickLate(fitting);
    if (isForConstants) return this.literal('f32', [Math.round(this.random.between(-1, 1) * 8) / 8]);
    const makers = ofResult.get(type) ?? [];
    if (fitting.length === 0 && isFloat(type) && type !== 'f32' && this.depth < 4 && this.random.chance(0.7))
      return this.apply(this.random.pick(makers));
    return this.#fresh(type);
  }

  protected apply(name: string): Known {
    const { args, result, isForConstants } = OPERATIONS[name];
    this.depth++;
    const given = args.map((type) => this.pick(type, isForConstants));
    this.depth--;
    return this.add(result, name, given);
  }

  /**
   * A value of a type for an output, of moderate size, from the latest ones; if possible one that depends on a
   * parameter.
   */
  result(type: Type): Known {
    if (isFloat(type)) {
      let value = this.#varying(type) ?? this.pick(type);
      // What was loaded first is of use as well.
      for (let k = this.random.whole(0, 2); k > 0; k--) {
        const other = this.#loaded(type);
        if (other) value = this.add(type, `${type}.add`, [value, other]);
      }
      return this.soft(value);
    }
    const value = this.pick(type);
    return type === 'u32' ? this.add('u32', 'wrap', [value], { literal: [9] }) : value;
  }

  /** An integer that changes from substep to substep. */
  found(): Known {
    const substep = this.add('u32', 'substep', [], {}, false);
    const sum = this.add('u32', 'u32.add', [this.result('u32'), substep]);
    return this.add('u32', 'wrap', [sum], { literal: [9] });
  }

  /**
   * A loaded value that depends on a parameter: for f32 a component of any, for other types one of that type; null if
   * there is none.
   */
  #loaded(type: FloatType): Known | null {
    const loads = this.written.filter((s) => s.op === 'load' || s.op === 'loadAt');
    const varying = this.known.filter((k) => k.varies && loads.some((s) => s.id === k.id));
    const fitting = varying.filter((k) => (type === 'f32' ? isFloat(k.type) : k.type === type));
    if (fitting.length === 0) return null;
    const value = this.random.pick(fitting);
    if (value.type === type) return value;
    return this.add('f32', TO_F32[value.type as keyof typeof TO_F32], [value]);
  }

  #varying(type: FloatType): Known | null {
    const varying = this.known.filter((k) => k.varies && isFloat(k.type));
    const same = varying.filter((k) => k.type === type);
    if (same.length > 0) return this.random.pickLate(same);
    if (varying.length === 0) return null;
    if (type !== 'f32') {
      if (!this.#varying('f32')) return null;
      return this.apply(type);
    }
    const source = this.random.pickLate(varying);
    return this.add('f32', TO_F32[source.type as keyof typeof TO_F32], [source]);
  }

  /** The hyperbolic tangent of a loaded value. */
  tanhOf(id: number): Known {
    return this.add('f32', 'tanh', [this.#byId.get(id)!]);
  }

  /**
   * A value that depends on the round of the loop, unless the kernel has a hand-written adjoint, which takes only
   * floats.
   */
  byRound(value: Known): Known {
    if (this.isPure) return value;
    const round = this.add('f32', 'u32.toF32', [this.add('u32', 'round', [], {}, false)]);
    const type = value.type as FloatType;
    const part = this.add('f32', 'f32.mul', [round, this.literal('f32', [0.25])]);
    return this.add(type, `${type}.add`, [value, this.add(type, scaleOf(type), [value, part])]);
  }

  /** A contracting step: a fraction of the value `from` plus a fraction of `to`. */
  step(from: Known, to: Known): Known {
    const type = from.type as FloatType;
    const scale = (value: Known, by: number): Known => {
      return this.add(type, scaleOf(type), [value, this.literal('f32', [by])]);
    };
    return this.add(type, `${type}.add`, [scale(from, 0.75), scale(to, 0.5)]);
  }
  protected soft(value: Known): Known {
    return isFloat(value.type) ? this.add(value.type, softOf(value.type), [value]) : value;
  }
}
