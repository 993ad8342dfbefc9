import { GradsimError } from '@gradsim/base';
import type { Block, Node } from '../form/nodes.ts';
import { LocalArray } from './local-array.ts';
import type { Bool, Operand, Traced, U32 } from './scalar.ts';
import { currentBuilder, lift, RETURN_HINT, use, wrap } from './scalar.ts';
import type { Value } from './values.ts';
import { likeValue, scalarsOf } from './values.ts';

type LoopVariable = Value | LocalArray;
/** Result of a branch or value carried by a loop: a traced value, a local array, or a record of these. */
export type LoopVariables = LoopVariable | { readonly [name: string]: LoopVariable };

const isRecord = (carry: LoopVariables): carry is { readonly [name: string]: LoopVariable } =>
  Object.getPrototypeOf(carry) === Object.prototype;

function partsOf(carried: LoopVariable): readonly Traced[] {
  if (typeof carried === 'number' || typeof carried === 'boolean')
    throw new GradsimError(
      'kernel/plain-value',
      `what a branch gives and a loop carries is traced, not the plain ${carried}.`,
      { kernel: currentBuilder().kernelName, hint: `Write f32(${carried}), or the type that it is to have.` },
    );
  return carried instanceof LocalArray ? carried.parts : scalarsOf(carried);
}

const likeCarried = (model: LoopVariable, nodes: readonly Node[]): LoopVariable =>
  model instanceof LocalArray
    ? model.like(nodes)
    : likeValue(
        model,
        nodes.map((n) => wrap(n)),
      );

/** Returns the scalars and arrays of a carry, in order. */
export function flatten(variables: LoopVariables): Traced[] {
  if (!isRecord(variables)) return [...partsOf(variables)];
  return Object.keys(variables).flatMap((name) => [...partsOf(variables[name])]);
}

/** Rebuilds a carry with the structure of `model` from its nodes, in the order of {@link flatten}. */
export function rebuild<C extends LoopVariables>(model: C, nodes: readonly Node[]): C {
  if (!isRecord(model))
    return likeCarried(
      model as LoopVariable,
      nodes.slice(0, partsOf(model as LoopVariable).length),
    ) as LoopVariables as C;
  let from = 0;
  const entries = Object.keys(model).map((name): [string, LoopVariable] => {
    const count = partsOf(model[name]).length;
    const value = likeCarried(model[name], nodes.slice(from, from + count));
    from += count;
    return [name, value];
  });
  return Object.fromEntries(entries) as LoopVariables as C;
}

function matching(where: string, results: readonly Traced[], types: readonly Node[]): Node[] {
  if (results.length !== types.length || results.some((r, k) => r.node.type !== types[k].type)) {
    throw new GradsimError('kernel/other-shape', `${where} must give values of one shape and type every time.`, {
      kernel: currentBuilder().kernelName,
    });
  }
  return results.map(use);
}

/** Throws if blocks carry nothing and add to nothing, so that all that they compute is lost. */
function refuseIdle(where: string, results: readonly Node[], ...blocks: readonly Block[]): void {
  const b = currentBuilder();
  if (results.length > 0 || blocks.some((block) => b.givesIn(block))) return;
  throw new GradsimError(
    'kernel/nothing-given',
    `${where} gives nothing back and adds to no field, so it does nothing.`,
    {
      kernel: b.kernelName,
      hint: RETURN_HINT,
    },
  );
}

/**
 * Runs one of two functions, by a condition, and only that one. Without a second function, the first may only add to
 * fields.
 *
 * ```ts
 * const f = when(gap.gt(0), () => normal.mul(gap.mul(stiffness)), () => vec3(0, 0, 0));
 * when(gap.gt(0), () => force.add(i, normal.mul(gap)));
 * ```
 */
export function when<C extends LoopVariables>(condition: Bool, yes: () => C, no: () => NoInfer<C>): C;
export function when(condition: Bool, yes: () => void, no?: () => void): void;
export function when(condition: Bool, yes: () => unknown, no: () => unknown = () => {}): LoopVariables {
  const b = currentBuilder();
  const conditionNode = lift(condition, 'bool');
  const then = b.openSide();
  const yesValue = (yes() ?? {}) as LoopVariables;
  then.results = flatten(yesValue).map(use);
  b.closeBlock(then);
  const otherwise = b.openSide();
  otherwise.results = matching('both sides of when', flatten((no() ?? {}) as LoopVariables), then.results);
  b.closeBlock(otherwise);
  refuseIdle('when', then.results, then, otherwise);
  return rebuild(yesValue, b.results(b.if(conditionNode, then, otherwise)));
}

/**
 * A loop over the integers from `start` up to but not including `end`, both known before it starts; `carry` is passed
 * from one iteration to the next.
 *
 * ```ts
 * const sum = forRange(0, count, vec3(0, 0, 0), (k, sum) => sum.add(force.at(k)));
 * ```
 */
export function forRange<C extends LoopVariables>(
  start: Operand<'u32'>,
  end: Operand<'u32'>,
  initial: C,
  body: (k: U32, carry: C) => NoInfer<C>,
): C {
  const b = currentBuilder();
  const inits = flatten(initial).map(use);
  const [startNode, endNode] = [lift(start, 'u32'), lift(end, 'u32')];
  const block = b.openRange();
  const carried = inits.map((n) => b.param(block, n.type));
  block.results = matching(
    'the body of forRange',
    flatten(body(wrap(block.counter), rebuild(initial, carried))),
    carried,
  );
  b.closeBlock(block);
  refuseIdle('forRange', inits, block);
  return rebuild(initial, b.results(b.range(startNode, endNode, inits, block)));
}

/**
 * A loop that runs while `test` holds for the carried value. Its adjoint first runs it to count its iterations, so
 * prefer {@link forRange} where their number is known.
 */
export function loop<C extends LoopVariables>(initial: C, test: (carry: C) => Bool, body: (carry: C) => NoInfer<C>): C {
  const b = currentBuilder();
  const inits = flatten(initial).map(use);
  const testBlock = b.openTest();
  const tested = inits.map((n) => b.param(testBlock, n.type));
  const condition = lift(test(rebuild(initial, tested)), 'bool');
  b.closeBlock(testBlock);
  const block = b.openWhile();
  const carried = inits.map((n) => b.param(block, n.type));
  block.results = matching('the body of loop', flatten(body(rebuild(initial, carried))), carried);
  b.closeBlock(block);
  refuseIdle('loop', inits, block);
  return rebuild(initial, b.results(b.while(inits, testBlock, condition, block)));
}
