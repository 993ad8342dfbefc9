import { describeValue, GradsimError, refuseUnknownOptions, suggestion } from '@gradsim/base';
import type { DeviceChoice } from '../devices/select.ts';
import type { Block } from '../form/nodes.ts';
import { isTimeBuiltin } from '../form/nodes.ts';
import { builtinsOf } from '../form/walk.ts';
import type { Kernel } from '../language/kernel.ts';
import type { Chain, Version } from './chain.ts';
import { chainOf } from './chain.ts';
import { isIndex } from './indices/incidence.ts';

export interface ProgramOptions {
  /** Number of elements of every domain that the kernels name. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Index fields, `{ 'edges.ends': [0, 1, 1, 2] }`: element by element, fixed for all runs. */
  readonly indices?: Readonly<Record<string, ArrayLike<number>>>;
  /** Device, or a name for {@link selectDevice}. Default `'auto'`: a GPU if there is one, else the CPU. */
  readonly device?: DeviceChoice;
  /** Number of copies that run side by side with their own values and the same indices. Default 1. */
  readonly worlds?: number;
  /** Duration of a step in s, for kernels that use `dt`, `time` or another duration. */
  readonly dt?: number;
  /** Inputs that derivatives are taken with respect to. Default all floats. */
  readonly wrt?: readonly string[];
  /** Fields that are returned. Default all that the kernels write. */
  readonly outputs?: readonly string[];
}

const OPTIONS = {
  sizes: true,
  indices: true,
  device: true,
  worlds: true,
  dt: true,
  wrt: true,
  outputs: true,
};

/** Everything that compiling a program needs besides the device. */
export interface Plan {
  readonly chain: Chain;
  readonly indices: ReadonlyMap<string, ArrayLike<number>>;
  readonly worlds: number;
  readonly dt: number;
  readonly wrt: readonly Version[];
  readonly outputs: readonly Version[];
}

export const isFloat = ({ field }: Version): boolean => field.scalar === 'f32';

export function planOf(kernels: readonly Kernel[], options: ProgramOptions): Plan {
  refuseUnknownOptions<ProgramOptions>('compile', options, OPTIONS);
  const { worlds = 1, dt } = options;
  if (typeof options.sizes !== 'object' || options.sizes === null)
    throw new GradsimError(
      'base/options-not-by-name',
      `sizes must be the elements of each domain, such as { points: 3 }, not ${options.sizes}.`,
    );
  if (kernels.length === 0) throw new GradsimError('kernel/no-kernels', 'A program needs at least one kernel.');
  if (!Number.isInteger(worlds) || worlds < 1)
    throw new GradsimError(
      'kernel/option-out-of-range',
      `worlds must be a whole number of at least 1, got ${describeValue(worlds)}.`,
      { field: 'worlds' },
    );
  const chain = chainOf(kernels, options.sizes);
  const timed = kernels.find(({ form }) => asksForDt(form.root));
  if (timed && dt === undefined)
    throw new GradsimError('kernel/dt-missing', `kernel ${timed.name} asks for dt or time.`, {
      hint: 'Give the option `dt`, in seconds.',
    });
  if (dt !== undefined && !(dt > 0 && Number.isFinite(dt)))
    throw new GradsimError(
      'kernel/option-out-of-range',
      `dt must be a number of seconds above 0, got ${describeValue(dt)}.`,
      {
        field: 'dt',
      },
    );
  const among = (known: ReadonlyMap<string, Version>, what: string, names?: readonly string[]): Version[] =>
    names ? names.map((name) => lookUp(known, name, what)) : [...known.values()];
  return {
    chain,
    indices: indicesOf(chain, options.indices ?? {}),
    worlds,
    dt: dt ?? 0,
    wrt: among(new Map([...chain.inputs].filter(([, v]) => isFloat(v))), 'input of floats', options.wrt),
    outputs: among(chain.outputs, 'output', options.outputs),
  };
}

const asksForDt = (block: Block): boolean => [...builtinsOf(block)].some(isTimeBuiltin);

/**
 * Looks up a name.
 * @throws for an unknown name, with the known name nearest to it.
 */
export function lookUp<T>(entries: ReadonlyMap<string, T>, name: string, kind: string): T {
  const found = entries.get(name);
  if (found === undefined)
    throw new GradsimError(
      'kernel/unknown-name',
      `This program has no ${kind} "${name}". ${suggestion(name, entries.keys())}`,
    );
  return found;
}

function indicesOf(
  { indices, sizes }: Chain,
  given: Readonly<Record<string, ArrayLike<number>>>,
): ReadonlyMap<string, ArrayLike<number>> {
  for (const name of Object.keys(given)) lookUp(indices, name, 'index field');
  return new Map(
    [...indices].map(([key, { field }]) => {
      const { components, domain, target, namedBy } = field;
      const values = given[key];
      if (!values)
        throw new GradsimError('kernel/indices-missing', `kernel ${namedBy} reads the indices ${key}.`, {
          field: key,
          hint: `Give them in \`indices: { '${key}': ... }\`.`,
        });
      const count = sizes.get(domain)! * components;
      if (values.length !== count)
        throw new GradsimError(
          'kernel/wrong-size',
          `${key} needs ${sizes.get(domain)} x ${components} indices, got ${values.length}.`,
          { field: key },
        );
      const limit = sizes.get(target!)!;
      for (let k = 0; k < count; k++) {
        if (isIndex(values[k], limit)) continue;
        throw new GradsimError(
          'kernel/index-out-of-range',
          `${key} of element ${Math.floor(k / components)}: index ${values[k]} is out of range, ${target} has ${limit} elements.`,
          { field: key },
        );
      }
      return [key, values];
    }),
  );
}
