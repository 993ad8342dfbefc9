import type { Model, Simulation } from '@gradsim/core';
import type { Coordinate, ParameterSpec } from './parameter.ts';
import { coordinateOf } from './parameter.ts';

/** One unknown with its places in a field. */
interface Unknown {
  readonly spec: ParameterSpec;
  /** The key of the field that it sets. */
  readonly field: string;
  readonly coordinate: Coordinate;
  /** Positions in the field's values, `[element][component]`, that take it. */
  readonly positions: readonly number[];
}

/** The unknowns of a problem as one vector of coordinates, and their way into the fields and back. */
export class Unknowns {
  readonly list: readonly Unknown[];
  /** The fields that unknowns go to. */
  readonly fields: readonly string[];
  readonly #base = new Map<string, Float64Array>();

  /** @throws when a parameter names no field or element, two have one name or one place, or a start is out of range. */
  constructor(model: Model, specs: readonly ParameterSpec[]) {
    if (specs.length === 0) throw new Error('There is nothing to estimate: the problem has no parameters.');
    const taken = new Map<string, string>();
    this.list = specs.map((spec): Unknown => {
      const { key: field, domain, components, values } = model.field(spec.field);
      const { size } = model.domain(domain);
      const component = spec.component ?? 0;
      if (!Number.isInteger(component) || component < 0 || component >= components) {
        throw new Error(
          `The parameter ${spec.name}: ${field} has ${components} components, there is no ${component}.`,
        );
      }
      const elements = spec.elements ?? [...Array(size).keys()];
      if (elements.length === 0)
        throw new Error(`The parameter ${spec.name} goes to no element: ${field} has none.`);
      for (const element of elements) {
        if (!Number.isInteger(element) || element < 0 || element >= size) {
          throw new Error(
            `The parameter ${spec.name}: ${field} has ${size} elements, there is no ${element}.`,
          );
        }
        const place = `${field}[${element}][${component}]`;
        const other = taken.get(place);
        if (other) throw new Error(`The parameters ${other} and ${spec.name} both set ${place}.`);
        taken.set(place, spec.name);
      }
      this.#base.set(field, Float64Array.from(values ?? new Float64Array(size * components)));
      return {
        spec,
        field,
        coordinate: coordinateOf(spec),
        positions: elements.map((e) => e * components + component),
      };
    });
    const names = specs.map((s) => s.name);
    const twice = names.find((name, k) => names.indexOf(name) !== k);
    if (twice) throw new Error(`Two parameters have the name ${twice}.`);
    this.fields = [...this.#base.keys()];
  }

  get count(): number {
    return this.list.length;
  }

  /** Where the search starts. */
  initial(): Float64Array {
    return Float64Array.from(this.list, ({ spec, coordinate }) =>
      coordinate.toCoordinate(spec.start ?? spec.initial),
    );
  }

  /** One natural step in each coordinate. */
  scales(): Float64Array {
    return Float64Array.from(
      this.list,
      ({ spec }) =>
        spec.scale ??
        ((spec.transform ?? 'identity') === 'identity' ? Math.max(Math.abs(spec.initial), 1) : 1),
    );
  }

  /** The ranges in coordinates; a natural step to either side of the initial value where there is none. */
  bounds(): (readonly [number, number])[] {
    const scales = this.scales();
    return this.list.map(({ spec, coordinate }, k) => {
      const { range, transform, initial } = spec;
      if (!range)
        return [coordinate.toCoordinate(initial) - scales[k], coordinate.toCoordinate(initial) + scales[k]];
      const [low, high] = range;
      const margin = transform === 'bounded' ? 0.02 * (high - low) : 0;
      return [coordinate.toCoordinate(low + margin), coordinate.toCoordinate(high - margin)];
    });
  }

  /** A point whose coordinates beyond their range are mirrored back into it, or into as far as `from` has come. */
  folded(point: ArrayLike<number>, from: ArrayLike<number>): Float64Array {
    return Float64Array.from(this.bounds(), (bounds, k) => {
      if (!this.list[k].spec.range) return point[k];
      const [low, high] = [Math.min(bounds[0], from[k]), Math.max(bounds[1], from[k])];
      const period = 2 * (high - low);
      const along = (((point[k] - low) % period) + period) % period;
      return low + Math.min(along, period - along);
    });
  }

  values(x: ArrayLike<number>): Float64Array {
    return Float64Array.from(this.list, (u, k) => u.coordinate.toValue(x[k]));
  }
  derivatives(x: ArrayLike<number>): Float64Array {
    return Float64Array.from(this.list, (u, k) => u.coordinate.derivative(x[k]));
  }
  named(values: ArrayLike<number>): Record<string, number> {
    return Object.fromEntries(this.list.map((u, k) => [u.spec.name, values[k]]));
  }

  /** Sets the fields of all worlds; `xs[world]` are that world's coordinates. */
  apply(simulation: Simulation, xs: readonly ArrayLike<number>[]): void {
    for (const field of this.fields) {
      const base = this.#base.get(field)!;
      const all = new Float64Array(base.length * xs.length);
      xs.forEach((x, w) => {
        all.set(base, w * base.length);
        this.list.forEach((u, k) => {
          if (u.field === field)
            for (const at of u.positions) all[w * base.length + at] = u.coordinate.toValue(x[k]);
        });
      });
      simulation.set(field, all);
    }
  }

  /** Sets tangents so that world w goes along coordinate `directions[w]`. */
  applyTangents(
    simulation: Simulation,
    xs: readonly ArrayLike<number>[],
    directions: readonly number[],
  ): void {
    for (const field of this.fields) {
      if (!simulation.compiled.active.has(field)) continue;
      const { length } = this.#base.get(field)!;
      const all = new Float64Array(length * xs.length);
      directions.forEach((k, w) => {
        const unknown = this.list[k];
        const { coordinate, positions } = unknown;
        if (unknown.field === field)
          for (const at of positions) all[w * length + at] = coordinate.derivative(xs[w][k]);
      });
      simulation.setTangent(field, all);
    }
  }

  /** From gradients of the fields, `[world][element][component]`, to gradients of the coordinates of each world. */
  async gradients(simulation: Simulation, xs: readonly ArrayLike<number>[]): Promise<Float64Array[]> {
    const byField = new Map(
      await Promise.all(this.fields.map(async (f) => [f, await simulation.gradient(f)] as const)),
    );
    return xs.map((x, w) =>
      Float64Array.from(this.list, ({ field, coordinate, positions }, k) => {
        const gradient = byField.get(field)!;
        const { length } = this.#base.get(field)!;
        return (
          positions.reduce((sum, at) => sum + gradient[w * length + at], 0) * coordinate.derivative(x[k])
        );
      }),
    );
  }
}
