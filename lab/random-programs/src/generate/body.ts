import { isOnGrids, pointTypeOf } from '../program/grids.ts';
import { drawArrays } from '../program/local-arrays.ts';
import { OPERATIONS } from '../program/operations.ts';
import type { Block, Degree, FloatType, GridSpec, GridUse, Param, Type } from '../program/program.ts';
import { isFloat } from '../program/program.ts';
import type { Known, Readable } from './values.ts';
import { NAMES, ofResult, scaleOf, ValueWriter } from './values.ts';

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

/** Form in which a loop over a range is written: one that folds a single value, at times, without another draw. */
function rangeOf(types: readonly Type[], id: number): 'forRange' | 'sumOver' | 'productOver' | 'maxOver' {
  if (types.length > 1) return 'forRange';
  if (id % 8 === 1) return 'sumOver';
  if (id % 8 === 3) return 'productOver';
  return id % 8 === 5 && types[0] === 'f32' ? 'maxOver' : 'forRange';
}

/** Draws the random statements of one kernel. */
export class BodyWriter extends ValueWriter {
  /** Draws `count` statements. */
  draw(count: number): void {
    for (let k = 0; k < count; k++) this.#drawOne();
  }

  #drawOne(): void {
    const random = this.random;
    const onGrids = this.tables.filter(({ port, grid }) => grid && isOnGrids(port.type));
    if (onGrids.length > 0 && random.chance(0.25)) {
      this.#onGrid(random.pick(onGrids));
      return;
    }
    // Regions within regions, but not for ever.
    const p = this.depth < 2 ? random.next() : random.between(0.16, 1);
    if (p < 0.05) this.#when();
    else if (p < 0.1) this.#forRange();
    else if (p < 0.13) this.#loop();
    else if (p < 0.145) this.#vjp();
    else if (p < 0.16) this.#array();
    else if (p < 0.19 && !this.isPure) this.#covered();
    else if (p < 0.24 && !this.isPure) this.add('f32', random.pick(['dt', 'time']), [], {}, false);
    else if (p < 0.25 && this.tables.length > 0) this.#loadAnywhere();
    else if (p < 0.35 && this.elsewhere.length > 0) this.#loadHere();
    else if (p < 0.38) this.apply(random.pick(FOR_CONSTANTS));
    else if (p < 0.42) this.#whole();
    else if (p < 0.46) this.#condition();
    else if (p < 0.6) this.apply(random.pick(ofResult.get('f32')!));
    else this.apply(random.pick(NAMES));
  }

  /** Draws a sum over the nodes near a point, or an operation at the own node or another one. */
  #onGrid({ port, varies, size, grid }: Readable): void {
    const random = this.random;
    const extra = (use: Omit<GridUse, 'grid'> = {}) => ({ port: port.name, on: { grid: grid!, ...use } });
    if (random.chance(0.5)) {
      const { point, ...use } = this.pointNear(grid!);
      this.add(port.type, 'nearSum', [point], extra(use), varies || point.varies);
      return;
    }
    const at = this.wrapped(size);
    const point = pointTypeOf(grid!);
    const p = random.next();
    if (p < 0.2) this.add(point, 'nodePosition', [at], extra(), false);
    else if (p < 0.4 && port.type === 'f32') this.add(point, 'gradient', [at], extra(), varies);
    else if (p < 0.6 && port.type === point) this.add('f32', 'divergence', [at], extra(), varies);
    else if (p < 0.8) this.add(port.type, 'laplacian', [at], extra(), varies);
    else this.add(port.type, 'shift', [at], extra({ by: grid!.size.map(() => random.whole(-3, 3)) }), varies);
  }

  /** Draws a point, and the stencil of nodes around it. */
  pointNear(grid: GridSpec): { readonly point: Known; readonly degree: Degree; readonly isMoment: boolean } {
    const random = this.random;
    // The 64 nodes of a cube take long to compile.
    const degree = random.whole(1, grid.size.length < 3 ? 3 : 2) as Degree;
    return { point: this.pick(pointTypeOf(grid)), degree, isMoment: random.chance(0.3) };
  }

  /** Draws operations on integers, and a float computed from their result. */
  #whole(): void {
    const type = this.random.pick(['u32', 'i32'] as const);
    for (let k = this.random.whole(1, 3); k > 0; k--) this.apply(this.random.pick(ofResult.get(type)!));
    const float = this.add('f32', `${type}.toF32`, [this.pick(type)]);
    this.add('f32', this.random.pick(['f32.mul', 'f32.sub']), [this.pick('f32'), float]);
  }

  /** Draws a condition, and a value that it selects. */
  #condition(): void {
    for (let k = this.random.whole(1, 2); k > 0; k--) this.apply(this.random.pick(ofResult.get('bool')!));
    this.add('f32', 'f32.select', [this.pick('bool'), this.pick('f32'), this.pick('f32')]);
  }

  /** Loads a field at an index that is known only at run time. */
  #loadAnywhere(): void {
    const { port, varies, size } = this.random.pick(this.tables);
    const at = this.foundIndex(size);
    this.add(port.type, 'loadAt', [at], { port: port.name }, varies);
  }

  /** Loads a field again at the current place in the code, at an index that is known before the run. */
  #loadHere(): void {
    const { port, varies, size, at } = this.random.pick(this.elsewhere);
    const index = this.random.chance(0.5) ? this.random.pick(at) : this.computedIndex(port.domain!, size);
    this.add(port.type, 'loadAt', [index], { port: port.name }, varies);
  }

  #covered(): void {
    this.add('f32', 'covered', [this.pick('f32'), this.pick('f32')], { literal: [this.duration] });
  }

  /** Draws a nested block; values computed in it are visible only there. */
  #block(
    params: readonly (readonly [Type, boolean])[],
    write: (entering: readonly Known[]) => readonly Known[],
  ): Inner {
    const [outerStatements, outerKnown] = [this.written, this.known];
    this.written = [];
    this.known = [...outerKnown];
    this.depth++;
    const entering = params.map(([type, varies]) => this.know({ id: this.nextId++, type, varies }));
    const given = write(entering);
    const varies = given.some((r) => r.varies);
    const block = {
      params: entering.map(({ id, type }): Param => ({ id, type })),
      statements: this.written,
      results: given.map((r) => r.id),
    };
    this.depth--;
    this.written = outerStatements;
    this.known = outerKnown;
    return { block, varies };
  }

  #inner(most: number): void {
    if (this.elsewhere.length > 0 && this.random.chance(0.2)) this.#loadHere();
    this.draw(this.depth > 2 ? 1 : this.random.whole(1, most));
  }

  #carried(): FloatType[] {
    return Array.from({ length: this.random.whole(1, 2) }, () =>
      this.random.chance(0.7) ? 'f32' : this.random.pick(['vec2', 'vec3', 'quat']),
    );
  }

  #region(op: string, types: readonly Type[], args: readonly Known[], inner: readonly Inner[]): void {
    const blocks = inner.map(({ block }) => block);
    const varies = [...args, ...inner].some((part) => part.varies);
    const region = this.add(types[0], op, args, { blocks }, varies);
    types.slice(1).forEach((type, k) => {
      this.add(type, 'take', [region], { component: k + 1 }, varies);
    });
  }

  #when(): void {
    const types = this.#carried();
    const condition = this.pick('bool');
    const elsewhere = this.elsewhere.filter(({ port }) => isFloat(port.type));
    // At times both sides read the same element.
    const shared = elsewhere.length > 0 && this.random.chance(0.3) ? this.random.pick(elsewhere) : undefined;
    if (shared) types[0] = shared.port.type as FloatType;
    const at = shared && this.random.pick(shared.at);
    const side = () =>
      this.#block([], () => {
        const read = shared && this.add(shared.port.type, 'loadAt', [at!], { port: shared.port.name }, shared.varies);
        this.#inner(3);
        const given = types.map((type) => this.pick(type));
        if (read) given[0] = this.add(types[0], `${types[0]}.add`, [given[0], read]);
        return given;
      });
    this.#region('when', types, [condition], [side(), side()]);
  }

  #forRange(): void {
    const types = this.#carried();
    const start = this.literal('u32', [this.random.whole(0, 1)]);
    // More rounds than an adjoint keeps checkpoints of, at times.
    const most = this.depth === 0 && this.random.chance(0.1) ? 150 : 4;
    const end = this.random.chance(0.5)
      ? this.literal('u32', [this.random.whole(0, most)])
      : this.add('u32', 'wrap', [this.pick('u32')], { literal: [most] });
    const starts = types.map((type) => this.pick(type));
    const params = [['u32', false], ...this.#entering(types, starts)] as const;
    const body = this.#block(params, ([counter]) => {
      this.#inner(most > 4 ? 1 : 3);
      const results = types.map((type) => this.soft(this.pick(type)));
      // In a long loop each round is another one.
      return most > 4 ? results.map((value) => this.#byCounter(value, counter)) : results;
    });
    this.#region(most === 4 ? rangeOf(types, this.nextId) : 'forRange', types, [start, end, ...starts], [body]);
  }

  /** Types of the values that enter a round, and whether they vary: from the second round on floats may, though the first begins with a constant. */
  #entering(types: readonly Type[], starts: readonly Known[]): (readonly [Type, boolean])[] {
    const isAnyVarying = this.known.some((known) => known.varies);
    return types.map((type, k) => [type, starts[k].varies || (isFloat(type) && isAnyVarying)]);
  }

  /**
   * A value times a fraction that grows with the loop counter; the fraction stays below 1 however many rounds there
   * are.
   */
  #byCounter(value: Known, counter: Known): Known {
    const times = this.add('f32', 'f32.mul', [this.add('f32', 'u32.toF32', [counter]), this.literal('f32', [1 / 512])]);
    const part = this.add('f32', 'f32.add', [times, this.literal('f32', [0.5])]);
    return this.add(value.type, scaleOf(value.type as FloatType), [value, part]);
  }

  /** Draws a loop that ends at a count, or earlier by a condition on a carried value. */
  #loop(): void {
    const types = this.#carried();
    const isCounterFirst = this.random.chance(0.5);
    const around = <T>(counter: T, others: readonly T[]): T[] =>
      isCounterFirst ? [counter, ...others] : [...others, counter];
    const carried = around<Type>('u32', types);
    const starts = around(
      this.literal('u32', [0]),
      types.map((type) => this.pick(type)),
    );
    const params = this.#entering(carried, starts);
    const most = this.random.whole(1, 4);
    const counterOf = (entering: readonly Known[]): Known => entering.at(isCounterFirst ? 0 : -1)!;
    const test = this.#block(params, (entering) => {
      const goesOn = this.add('bool', 'u32.lt', [counterOf(entering), this.literal('u32', [most])]);
      if (!this.random.chance(0.5)) return [goesOn];
      const other = this.add('bool', 'f32.lt', [this.pick('f32'), this.pick('f32')]);
      return [this.add('bool', 'bool.and', [goesOn, other])];
    });
    const body = this.#block(params, (entering) => {
      this.#inner(3);
      const results = types.map((type) => this.soft(this.pick(type)));
      const next = this.add('u32', 'u32.add', [counterOf(entering), this.literal('u32', [1])]);
      return around(next, results);
    });
    this.#region('loop', carried, starts, [test, body]);
  }

  /** Draws local arrays, a loop that uses them, and a value read from them. */
  #array(): void {
    const type = this.#carried()[0];
    const at = this.add('u32', 'wrap', [this.pick('u32')], { literal: [7] });
    const given = [this.pick(type), this.pick(type)];
    const varies = given.some((each) => each.varies);
    const body = this.#block(
      [
        ['u32', false],
        [type, varies],
      ],
      () => {
        this.#inner(2);
        return [this.soft(this.pick(type))];
      },
    );
    const literal = drawArrays(this.random);
    this.add(type, 'array', [at, ...given], { literal, blocks: [body.block] }, varies || body.varies);
  }

  /** Draws a `vjp` of a function of floats, and uses the resulting derivative as a value. */
  #vjp(): void {
    if (this.depth > 1) return;
    const inputs = this.#carried();
    const outputs = this.#carried();
    const given = [...inputs, ...outputs].map((type) => this.pick(type));
    const inner = new BodyWriter(this.random, { isPure: true });
    inner.nextId = this.nextId;
    inner.depth = 2;
    const f = inner.#block(
      inputs.map((t) => [t, true] as const),
      () => {
        inner.draw(2);
        return outputs.map((type) => inner.pick(type));
      },
    );
    this.nextId = inner.nextId;
    const component = this.random.whole(0, inputs.length - 1);
    this.add(inputs[component], 'vjp', given, { blocks: [f.block], component });
  }
}
