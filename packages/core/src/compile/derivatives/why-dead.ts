import { GradsimError } from '@gradsim/base';
import { derivativeEnds, valueDependencies } from '@gradsim/kernel/internal/derivatives';
import type { PassStep, Steps } from '../steps/step.ts';
import { allPasses, allSteps } from '../steps/step.ts';
import type { Edge } from './active-fields.ts';
import { edgesIn, edgesOf, fieldsReachableFrom, fieldsReaching, portsOf } from './active-fields.ts';

/** Why a parameter has no derivative. */
export interface DeadParameter {
  /**
   * `values`: outputs change with the parameter, but only through operations without a derivative, such as comparisons.
   * `nothing`: no output changes with it.
   */
  readonly reaches: 'values' | 'nothing';
  /** Sentences that name the parameter, and the comparisons or the kernels that read it. */
  readonly note: string;
}

/** @throws for the first parameter that has no derivative, with the reason and what to do. */
export function refuseDead(
  steps: Steps,
  { parameters, outputs }: { readonly parameters: readonly string[]; readonly outputs: readonly string[] },
  active: ReadonlySet<string>,
): void {
  const dead = parameters.find((key) => !active.has(key));
  if (dead === undefined) return;
  const { reaches, note } = deadParameter(steps, dead, outputs);
  throw new GradsimError(
    'core/dead-parameter',
    reaches === 'nothing'
      ? `${note} Leave it out of the parameters, or name what depends on it in \`outputs\`.`
      : `${note} Its gradient would be 0 wherever it is. Leave it out of the parameters; replace a comparison x > y by a smooth step, such as 1 / (1 + exp((y - x) / width)); or estimate it by values alone, with \`derivative: 'none'\`.`,
  );
}

/**
 * Finds why no output has a derivative with respect to a field: either it reaches the outputs only through operations
 * without a derivative, or it reaches none. This follows from the structure of the kernels, so it holds for all values.
 */
export function deadParameter(steps: Steps, key: string, outputs: readonly string[]): DeadParameter {
  const passes = { setup: allPasses(steps.setup, false), run: runPasses(steps) };
  const values = { setup: valueEdges(steps.setup, passes.setup), run: runEdges(steps, passes.run) };
  // Setup runs before everything else: the value that a state gets later does not affect what setup derives.
  const useful = { run: fieldsReaching(outputs, values.run), setup: new Set<string>() };
  useful.setup = fieldsReaching(useful.run, values.setup);
  const reached = fieldsReachableFrom(fieldsReachableFrom([key], values.setup), values.run);
  if (!outputs.some((output) => reached.has(output)))
    return { reaches: 'nothing', note: nothingNote(key, [...passes.setup, ...passes.run], reached, outputs) };
  const smooth = { setup: fieldsReachableFrom([key], edgesIn(steps.setup)), run: new Set<string>() };
  smooth.run = fieldsReachableFrom(smooth.setup, [...edgesIn(steps.physics), ...edgesIn(steps.frame)]);
  const found = (['setup', 'run'] as const).flatMap((part) =>
    values[part]
      .filter(({ to }) => !smooth[part].has(to) && useful[part].has(to))
      .flatMap((edge) => edge.from.filter((key) => smooth[part].has(key)).map((key) => ({ ...edge, key }))),
  );
  const sources = new Set([...smooth.setup, ...smooth.run]);
  const search = new Set<Edge['step']>(allPasses(steps.search, false));
  const ends = [...new Set(found.flatMap((edge) => endsOf(edge, sources, search.has(edge.step))))];
  const named = ends.length > MAX_NAMED ? [...ends.slice(0, MAX_NAMED), 'and so on'] : ends;
  return {
    reaches: 'values',
    note: `No output has a derivative with respect to ${key}: it acts only where derivatives end. ${named.join('; ')}.`,
  };
}

/** Maximum number of operations or kernels that a message lists. */
const MAX_NAMED = 3;

const runPasses = ({ search, physics, frame }: Steps): PassStep[] =>
  allPasses([...search, ...physics, ...frame], false);
const runEdges = ({ search, physics, frame }: Steps, passes: readonly PassStep[]): Edge[] =>
  valueEdges([...search, ...physics, ...frame], passes);

/** Returns the dependencies of values between fields, with or without a derivative. */
const valueEdges = (steps: Steps['setup'], passes: readonly PassStep[]): Edge[] => [
  ...passes.flatMap((pass) => edgesOf(pass, valueDependencies)),
  // Everything that a block writes may depend on everything that it reads, whichever of its passes does so.
  ...allSteps(steps, false).flatMap((step) =>
    step.kind === 'block' ? [...step.writes.keys()].map((to) => ({ from: [...step.reads.keys()], to, step })) : [],
  ),
];

/** Describes the operations of a step that field `key` enters and that have no derivative. */
function endsOf(
  { key, to: made, step }: Edge & { readonly key: string },
  sources: ReadonlySet<string>,
  isSearch: boolean,
): string[] {
  if (step.kind === 'block') return [`The derivative of ${step.name} does not go to ${key}`];
  const { kernel, phase } = step;
  const where = `Kernel ${kernel.name} (phase ${phase})`;
  const { from, to } = portsOf(step);
  const read = new Set([...from].flatMap(([name, of]) => (sources.has(of) ? [name] : [])));
  const outputs = [...to].flatMap(([name, of]) => (of === made ? [name] : []));
  const ends = outputs
    .flatMap((name) => derivativeEnds(kernel.form, read, name))
    .map(({ operation, operands }) => {
      const sides = operands.map((names) => names.map((name) => from.get(name) ?? name).join(' and '));
      return `${where} ${wordsFor(operation, sides)}`;
    });
  if (ends.length > 0) return ends;
  return [`${where} makes ${made} of ${key}${isSearch ? ', and what phase search makes is a constant' : ''}`];
}

const COMPARISON_PRIMITIVES = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);

function wordsFor(operation: string, sides: readonly string[]): string {
  if (COMPARISON_PRIMITIVES.has(operation)) {
    const [left, right] = sides.map((side) => side || 'a number or the time');
    return `compares ${left} with ${right} (${operation})`;
  }
  const of = sides.filter(Boolean).join(' and ');
  if (operation === 'toU32' || operation === 'toI32') return `makes a whole number of ${of} (${operation})`;
  if (operation === 'detach') return `takes ${of} as a constant (detach)`;
  return `takes ${operation} of ${of}, which has no derivative`;
}

function nothingNote(
  key: string,
  passes: readonly PassStep[],
  reached: ReadonlySet<string>,
  outputs: readonly string[],
): string {
  const readers = passes.filter((pass) => pass.reads.has(key)).map(({ kernel }) => kernel.name);
  const made = [...reached].filter((other) => other !== key);
  return (
    `No output depends on ${key}` +
    (readers.length > 0
      ? `: ${[...new Set(readers)].join(', ')} ${readers.length > 1 ? 'read' : 'reads'} it` +
        (made.length > 0
          ? ` and only ${made.slice(0, 6).join(', ')} ${made.length > 1 ? 'follow' : 'follows'} from it`
          : '')
      : '') +
    `; outputs are ${outputs.join(', ')}.`
  );
}
