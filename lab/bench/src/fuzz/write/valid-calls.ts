import { decodeState, encodeState } from '@gradsim/core';
import type { Draw } from '../draw.ts';
import type { OpenedRun } from './runs.ts';

/** A call of a simulation's method, and its description. */
export interface Call {
  readonly about: string;
  readonly run: (session: OpenedRun) => Promise<void> | void;
}

/** State of a simulation after a series of calls. */
export interface Progress {
  readonly calls: Call[];
  hasRun: boolean;
  /** True if the last run was one with `forward()`, which computes all frames. */
  isWhole: boolean;
  /** True if an input was set since the last run. */
  hasChanged: boolean;
  isStepped: boolean;
  hasRunBack: boolean;
}

/** Draws a series of valid calls. */
export function drawnCalls(drawn: Omit<OpenedRun, 'simulation'>, random: Draw): Progress {
  const progress: Progress = {
    calls: [],
    hasRun: false,
    isWhole: false,
    hasChanged: false,
    isStepped: false,
    hasRunBack: false,
  };
  for (let k = random.whole(0, 7); k > 0; k--) {
    const possible = CALL_RULES.filter(({ when }) => when(progress, drawn));
    const { changes: leaves, call } = random.pick(possible);
    progress.calls.push(call(drawn, random));
    Object.assign(progress, leaves?.(progress));
  }
  return progress;
}

interface CallRule {
  readonly when: (progress: Progress, drawn: Omit<OpenedRun, 'simulation'>) => boolean;
  readonly call: (drawn: Omit<OpenedRun, 'simulation'>, random: Draw) => Call;
  readonly changes?: (progress: Progress) => Partial<Progress>;
}

const derivativeOf = ({ options }: Omit<OpenedRun, 'simulation'>) => options.derivative;

const CALL_RULES: readonly CallRule[] = [
  { when: () => true, call: set, changes: () => ({ hasChanged: true }) },
  {
    when: () => true,
    call: () => ({ about: 'forward', run: ({ simulation }) => simulation.forward() }),
    changes: () => ({ hasRun: true, isWhole: true, hasChanged: false, isStepped: false, hasRunBack: false }),
  },
  {
    when: ({ hasChanged, isStepped, hasRun }, drawn) =>
      derivativeOf(drawn) === 'none' && (!hasRun || !hasChanged || isStepped),
    call: () => ({ about: 'step', run: ({ simulation }) => simulation.step() }),
    changes: () => ({ hasRun: true, isWhole: false, hasChanged: false, isStepped: true, hasRunBack: false }),
  },
  { when: ({ hasRun }) => hasRun, call: read },
  {
    when: ({ isWhole }, { options }) => isWhole && options.record!.length > 0,
    call: ({ options, worlds }) => ({
      about: 'readFrames',
      run: async ({ simulation }) => {
        const values = await simulation.readFrames(options.record![0]);
        requireFinite('readFrames', values, 3 * worlds * options.frames);
      },
    }),
  },
  {
    when: ({ isWhole, hasChanged }, drawn) => derivativeOf(drawn) === 'adjoint' && isWhole && !hasChanged,
    call: runBackCall,
    changes: () => ({ hasRunBack: true }),
  },
  {
    when: ({ hasRunBack, hasChanged }) => hasRunBack && !hasChanged,
    call: ({ parameter }) => ({
      about: 'gradient',
      run: async ({ simulation }) => requireFinite('gradient', await simulation.gradient(parameter), 1),
    }),
  },
  {
    when: ({ hasRun }, drawn) => derivativeOf(drawn) === 'tangent' && hasRun,
    call: ({ subject }, random) => {
      const key = random.pick(subject.states);
      return {
        about: `readTangent of ${key}`,
        run: async ({ simulation }) => requireFinite(key, await simulation.readTangent(key), 3),
      };
    },
  },
  {
    when: ({ hasRun, hasChanged }, drawn) => derivativeOf(drawn) === 'none' && hasRun && !hasChanged,
    call: () => ({ about: 'continueFrom what was saved', run: saveAndGoOn }),
    changes: () => ({ isWhole: false, isStepped: true }),
  },
  {
    when: ({ hasChanged }) => !hasChanged,
    call: () => ({
      about: 'stableStep',
      run: async ({ simulation }) => {
        const { dt } = await simulation.stableStep();
        if (!(dt > 0)) throw new Error(`the stable step is ${dt}`);
      },
    }),
  },
];

function set({ subject, worlds }: Omit<OpenedRun, 'simulation'>, random: Draw): Call {
  const key = random.pick(Object.keys(subject.inputs));
  const { values } = subject.inputs[key];
  const factor = 0.8 + 0.4 * random.next();
  const own = values.map((x) => x * factor);
  const way = random.pick(['all', 'one', 'each'] as const);
  if (way === 'one') return { about: `set ${key} of world 0`, run: ({ simulation }) => simulation.set(key, own, 0) };
  const all = way === 'each' ? Array.from({ length: worlds }, () => own).flat() : own;
  return { about: `set ${key}`, run: ({ simulation }) => simulation.set(key, all) };
}

function read({ subject }: Omit<OpenedRun, 'simulation'>, random: Draw): Call {
  const key = random.pick(subject.states);
  return {
    about: `read ${key}`,
    run: async ({ simulation, worlds }) => {
      const values = await simulation.read(key);
      requireFinite(key, values, 3 * worlds);
      const again = simulation.readSync(key, { into: new Float64Array(values.length) });
      if (values.some((x, k) => x !== again[k])) throw new Error(`${key} is read otherwise a second time`);
    },
  };
}

function runBackCall({ options }: Omit<OpenedRun, 'simulation'>): Call {
  const [key] = options.outputs as string[];
  return {
    about: 'backward',
    run: async ({ simulation }) => {
      const { length } = await simulation.read(key);
      const isRecorded = options.record!.includes(key);
      simulation.backward({ [key]: new Float64Array(isRecorded ? length * options.frames : length).fill(1) });
    },
  };
}

async function saveAndGoOn({ simulation, subject }: OpenedRun): Promise<void> {
  const before = await simulation.read(subject.states[0]);
  const bytes = encodeState(await simulation.state());
  simulation.step();
  simulation.continueFrom(decodeState(bytes));
  const after = await simulation.read(subject.states[0]);
  if (before.some((x, k) => x !== after[k])) throw new Error('what was saved is not what is gone on from');
}

function requireFinite(what: string, values: ArrayLike<number>, divisor: number): void {
  if (values.length === 0 || values.length % divisor !== 0)
    throw new Error(`${what} has ${values.length} values, no multiple of ${divisor}`);
  const odd = Array.from(values).findIndex((x) => !Number.isFinite(x));
  if (odd >= 0) throw new Error(`${what} is ${values[odd]} at ${odd}`);
}
