import { GradsimError } from '@gradsim/base';
import type {
  Instruction,
  Lowered,
  LoweredInSingle,
  Node,
  Overload,
  OverloadSpec,
  Primitive,
  PrimitiveSpec,
} from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';

export const primitive = (name: string, spec: PrimitiveSpec<OverloadSpec>): Primitive => ({
  name,
  ...spec,
  overloads: spec.overloads.map((overload) => ({
    ...overload,
    called: [name, ...new Set(overload.args)].join('_'),
  })),
});

type TextOf<T> = Omit<T, 'args' | 'result'>;
type TextsOf = TextOf<Instruction> | TextOf<Lowered> | TextOf<LoweredInSingle>;
type PrimitiveRules = Omit<PrimitiveSpec<OverloadSpec>, 'overloads'>;

/** Defines a float function: floats in, a float out. */
export function floatFunction(name: string, spec: TextsOf & PrimitiveRules): Primitive {
  const { simplify, derivative, argumentRanges, ulps, ...sayings } = spec;
  const args = new Array<ScalarType>(spec.evaluate.length).fill('f32');
  return primitive(name, {
    overloads: [{ args, result: 'f32', ...sayings }],
    simplify,
    derivative,
    argumentRanges,
    ulps,
  });
}

/** Defines overloads whose arguments and result all have the same type. */
export const overloadPerType = <T extends ScalarType>(
  types: readonly T[],
  count: number,
  overloadOf: (type: T) => TextsOf,
): OverloadSpec[] =>
  types.map((type) => ({ args: new Array<ScalarType>(count).fill(type), result: type, ...overloadOf(type) }));

/** Returns the overload for these argument types; throws if there is none. */
export function overloadFor(kernelName: string, { name, overloads }: Primitive, args: readonly Node[]): Overload {
  for (let n = 0; n < overloads.length; n++) {
    const overload = overloads[n];
    let fits = overload.args.length === args.length;
    for (let k = 0; fits && k < args.length; k++) fits = overload.args[k] === args[k].type;
    if (fits) return overload;
  }
  const taken = overloads.map((overload) => `(${overload.args.join(', ')})`).join(' or ');
  throw new GradsimError(
    'base/wrong-type',
    `${name} takes ${taken}, but was given (${args.map((a) => a.type).join(', ')}).`,
    { kernel: kernelName, field: name },
  );
}

export const isConst = (node: Node, value: number): boolean => node.op === 'const' && node.value === value;

/** Returns the arguments of a node that applies `primitive`, or null. */
export const argumentsOf = (node: Node, primitive: Primitive): readonly Node[] | null =>
  node.op === 'pure' && node.primitive === primitive ? node.args : null;
