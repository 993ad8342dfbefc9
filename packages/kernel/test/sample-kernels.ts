import { bindKernel } from '../src/emit/bind/bind.ts';
import type { Binding } from '../src/emit/bind/options.ts';
import type { BoundKernel } from '../src/emit/bound-kernel.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import type { Port } from '../src/form/port.ts';
import { forRange, loop, when } from '../src/language/control.ts';
import { norm, tanh } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { localArray } from '../src/language/local-array.ts';
import { f32, fieldOn, i32, index, u32, vec3 } from '../src/language/types.ts';
import { dot } from '../src/language/vector.ts';
import type { Register } from './support/registers.ts';
import { REGISTERS } from './support/registers.ts';

/** Memory layout of a test: fields one after another, each allocated when first asked for. */
export class TestLayout {
  readonly elements: number;
  f32Words = 0;
  u32Words = 0;
  readonly #places = new Map<string, Binding>();

  constructor(elements: number) {
    this.elements = elements;
  }

  /** Returns the place of `components` values per element; with a register, of `copies` such fields, selected by it. */
  field(name: string, scalar: Port['scalar'], components = 1, register?: Register, copies = 1): Binding {
    let place = this.#places.get(name);
    if (!place) {
      const buffer = scalar === 'f32' ? 'f32' : 'u32';
      const words = components * this.elements;
      const offset = buffer === 'f32' ? this.f32Words : this.u32Words;
      place = {
        buffer,
        offset,
        componentStride: this.elements,
        elementStride: 1,
        worldStride: 0,
        register,
        registerStride: words,
      };
      this.#places.set(name, place);
      if (buffer === 'f32') this.f32Words += words * copies;
      else this.u32Words += words * copies;
    }
    return place;
  }

  /** Returns the place of a port; values, adjoint and tangent have a place each. */
  of(port: Port): Binding {
    const kind = { primal: '', adjoint: '_bar', tangent: '_dot' }[port.kind];
    return this.field(port.name + kind, port.scalar, port.components);
  }

  bind(form: KernelForm, binding: (port: Port) => Binding = (port) => this.of(port)): BoundKernel {
    const accumulates = (port: Port): boolean => port.access === 'add';
    const bound = bindKernel(form, {
      elements: this.elements,
      worlds: 1,
      worldsInner: false,
      steps: 1 / 600,
      registers: REGISTERS,
      binding,
      accumulates,
    });
    // Written now, so that its ports have their places.
    bound.source.code();
    return bound;
  }
}

/** Kernel of a damped spring: reads its ends through an index field. */
export const springForce = kernel(
  'springForce',
  {
    domain: 'springs',
    reads: {
      ends: index('particles', 2),
      position: fieldOn('particles', vec3),
      velocity: fieldOn('particles', vec3),
      stiffness: f32,
      damping: f32,
      restLength: f32,
    },
    writes: { pull: vec3 },
  },
  ({ ends: [i, j], position, velocity, stiffness, damping, restLength }) => {
    const d = position.at(i).sub(position.at(j));
    const length = norm(d);
    const direction = d.div(vec3(length, length, length));
    const rate = dot(direction, velocity.at(i).sub(velocity.at(j)));
    return { pull: direction.mul(stiffness.mul(length.sub(restLength)).add(damping.mul(rate))) };
  },
);

/**
 * Kernel of square roots: by bisection in a counted loop with a branch, and by Newton's method in a loop with a test.
 */
export const newtonRoot = kernel(
  'newtonRoot',
  {
    domain: 'particles',
    reads: { square: f32, rounds: u32 },
    writes: { root: f32, squareRoot: f32 },
  },
  ({ square, rounds }) => ({
    root: forRange(0, rounds, { low: f32(0), high: square }, (_, { low, high }) => {
      const middle = low.add(high).mul(0.5);
      const isLow = middle.mul(middle).lt(square);
      return when(
        isLow,
        () => ({ low: middle, high }),
        () => ({ low, high: middle }),
      );
    }).low,
    squareRoot: loop(
      square,
      (x) => x.mul(x).sub(square).gt(square.mul(1e-3)),
      (x) => x.add(square.div(x)).mul(0.5),
    ),
  }),
);

/** Kernel of a two-step recurrence, in local arrays of floats and of integers. */
export const recurrence = kernel(
  'recurrence',
  { domain: 'particles', reads: { square: f32, rounds: u32 }, writes: { value: f32, turns: u32 } },
  ({ square, rounds }) => {
    const start = { values: localArray(3, square), turns: localArray(2, u32) };
    const end = forRange(0, rounds.mul(9), start, (k, { values, turns }) => ({
      values: when(
        k.rem(4).lt(3),
        () =>
          values.set(
            k.rem(3),
            values
              .get(k.add(1).rem(3))
              .mul(0.6)
              .add(tanh(values.get(0)).mul(0.3)),
          ),
        () => values,
      ),
      turns: turns.set(k.rem(2), turns.get(k.rem(2)).add(k)),
    }));
    return {
      value: end.values.get(0).sub(end.values.get(2)),
      turns: end.turns.get(0).mul(3).add(end.turns.get(1)),
    };
  },
);

/** Kernel with a branch, a function that WGSL lacks, and an integer field. */
export const groundForce = kernel(
  'groundForce',
  {
    domain: 'particles',
    reads: { position: vec3, velocity: vec3, side: i32 },
    writes: { force: vec3, side: i32 },
  },
  ({ position, velocity, side }) => {
    const depth = position.y.neg();
    return {
      force: when(
        depth.gt(0),
        () => vec3(0, depth.mul(1e4).sub(velocity.y.mul(10)), tanh(velocity.z)),
        () => vec3(0, 0, 0),
      ),
      side: side.div(-3).add(1),
    };
  },
);
