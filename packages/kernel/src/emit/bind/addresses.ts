import { defect } from '@gradsim/base';
import type { Node } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import type { Builder } from '../../language/builder.ts';
import { add, div } from '../../primitives/arithmetic.ts';
import { argumentsOf } from '../../primitives/primitive.ts';
import type { Store } from '../bound-kernel.ts';
import type { BindOptions } from './options.ts';

/** Number of an invocation within its world, and the number of that world. */
interface Invocation {
  readonly number: Node;
  readonly world: Node;
}

export function invocationIn(b: Builder, { elements, partitions, worlds, worldsInner }: BindOptions): Invocation {
  const constant = (value: number): Node => b.const(value, 'u32');
  const count = partitions ?? elements;
  const invocation = b.builtin('invocation');
  const inner = worldsInner ? worlds : count;
  const outerIndex = inner === 1 ? invocation : b.pure(div, invocation, constant(inner));
  const innerIndex = inner === 1 ? constant(0) : b.sub(invocation, b.mul(outerIndex, constant(inner)));
  const number = count === 1 ? constant(0) : worldsInner ? outerIndex : worlds === 1 ? invocation : innerIndex;
  const world = worlds === 1 ? constant(0) : worldsInner ? (count === 1 ? invocation : innerIndex) : outerIndex;
  return { number, world };
}

/**
 * Splits the constant off an index that is a sum. The addresses of neighbours, such as the nodes around a point, then are
 * one address with constant offsets, which cost nothing. An index is in range here, or limited, which no sum is: its parts
 * do not wrap.
 */
function splitSum(b: Builder, index: Node): readonly [rest: Node, ahead: number] {
  const [x, y] = argumentsOf(index, add) ?? [];
  if (!x) return [index, 0];
  if (y.op === 'const') return [x, y.value];
  const [rest, ahead] = splitSum(b, y);
  return ahead === 0 ? [index, 0] : [b.add(x, rest), ahead];
}

export function places(
  b: Builder,
  { elements, partitions, worlds, worldsInner, registers, binding }: BindOptions,
  { number, world }: Invocation,
  element: Node,
) {
  const constant = (value: number): Node => b.const(value, 'u32');
  const ownStride = worldsInner && partitions === undefined ? { element: worlds, world: 1 } : null;
  return {
    number,
    element,
    world,
    address(
      port: Port,
      component: number,
      index: Node | null,
      round: Node | null = null,
    ): Pick<Store, 'address' | 'base' | 'offset' | 'buffer'> {
      const at = binding(port);
      const [rest, ahead] = index ? splitSum(b, index) : [index, 0];
      const isOwn = (rest === null || rest === element) && ownStride !== null;
      let address =
        isOwn && at.elementStride === ownStride.element && (at.worldStride === 1 || worlds === 1)
          ? b.builtin('invocation')
          : b.add(
              b.mul(rest ?? (port.isAccumulator ? number : element), constant(at.elementStride)),
              b.mul(world, constant(at.worldStride)),
            );
      if (round) address = b.add(address, b.mul(round, constant(elements * at.elementStride)));
      if (at.register) {
        const register = registerOf(b, registers, at.register);
        address = b.add(address, b.mul(register, constant(at.registerStride ?? 0)));
      }
      const offset = at.offset + component * at.componentStride + ahead * at.elementStride;
      return { address, base: at.base ?? 0, offset, buffer: at.buffer };
    },
  };
}

export function registerOf(b: Builder, registers: readonly string[], name: string): Node {
  if (!registers.includes(name)) throw defect(`kernel ${b.kernelName} is bound without the register ${name}`);
  return b.register(name);
}

export type Places = ReturnType<typeof places>;
