import { GradsimError } from '@gradsim/base';
import { decodeState, encodeState } from '@gradsim/core';
import type { Draw } from '../draw.ts';
import { misspellName, NO_NUMBERS } from '../mutate.ts';
import type { OpenedRun } from './runs.ts';
import type { Call, Progress } from './valid-calls.ts';

/** A call that must be refused, and words that the error must contain. */
export interface WrongCall extends Call {
  readonly names: readonly string[];
  /** True if the simulation cannot be used after the call. */
  readonly isTheEnd?: boolean;
}

type DrawnRun = Omit<OpenedRun, 'simulation'>;
/** Makes an invalid call; null if it would be valid at this point. */
type WrongCallMaker = (drawn: DrawnRun, progress: Progress, random: Draw) => WrongCall | null;

const wrongValue: WrongCallMaker = ({ subject, worlds }, _, random) => {
  const key = random.pick(Object.keys(subject.inputs));
  const { values, isPositive } = subject.inputs[key];
  const value = random.pick([...NO_NUMBERS, ...(isPositive ? [-1, -1e-30] : [])]);
  const all = Array.from({ length: random.chance(0.5) ? worlds : 1 }, () => values).flat() as unknown[];
  all[random.whole(0, all.length - 1)] = value;
  return {
    about: `set ${key} to ${String(value)}`,
    names: [key],
    run: ({ simulation }) => simulation.set(key, all as number[]),
  };
};

const wrongCount: WrongCallMaker = ({ subject, worlds }, _, random) => {
  const key = random.pick(Object.keys(subject.inputs));
  const { values } = subject.inputs[key];
  const counts = [values.length - 1, values.length + 1, 0, values.length * (worlds + 1)];
  const arrays = counts
    .filter((count) => count !== values.length * worlds)
    .map((count) => Array<number>(count).fill(1));
  const wrong: unknown = random.pick([...arrays, null, undefined, 'x', {}]);
  return {
    about: `set ${key} to a wrong number of values`,
    names: [key],
    run: ({ simulation }) => simulation.set(key, wrong as number[]),
  };
};

const wrongWorld: WrongCallMaker = ({ subject, worlds }, _, random) => {
  const key = random.pick(Object.keys(subject.inputs));
  const world: unknown = random.pick([-1, worlds, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '0', null]);
  return {
    about: `set ${key} of world ${String(world)}`,
    names: [key, 'world'],
    run: ({ simulation }) => simulation.set(key, subject.inputs[key].values, world as number),
  };
};

const wrongField: WrongCallMaker = ({ subject }, { hasRun }, random) => {
  const [computed, topology] = [subject.computed, subject.topology];
  const wrong = misspellName(subject.states[0], random, []);
  const ways: [string, string, (session: OpenedRun) => unknown][] = [
    [`set ${wrong}`, wrong, ({ simulation }) => simulation.set(wrong, [1])],
    [`set ${computed}`, computed, ({ simulation }) => simulation.set(computed, [1])],
    [`set ${topology}`, topology, ({ simulation }) => simulation.set(topology, [0])],
    [`read ${wrong}`, wrong, ({ simulation }) => simulation.read(wrong)],
    [`readFrames of ${wrong}`, wrong, ({ simulation }) => simulation.readFrames(wrong)],
    [`lend ${wrong}`, wrong, ({ simulation }) => simulation.lend(wrong)],
  ];
  if (hasRun)
    ways.push([`lend ${subject.states[0]}`, subject.states[0], ({ simulation }) => simulation.lend(subject.states[0])]);
  const [about, name, run] = random.pick(ways);
  return { about, names: [name], run: async (session) => void (await run(session)) };
};

const tooEarly: WrongCallMaker = ({ subject, options }, { hasRun, hasRunBack }, random) => {
  if (hasRun) {
    if (hasRunBack || options.derivative !== 'adjoint') return null;
    const [key] = options.parameters as string[];
    return {
      about: 'gradient before backward',
      names: ['backward'],
      run: async ({ simulation }) => void (await simulation.gradient(key)),
    };
  }
  const key = subject.states[0];
  const ways: [string, string, (session: OpenedRun) => unknown][] = [
    ['read', key, ({ simulation }) => simulation.read(key)],
    ['readSync', key, ({ simulation }) => simulation.readSync(key)],
    ['state', 'state()', ({ simulation }) => simulation.state()],
  ];
  if (options.derivative === 'adjoint')
    ways.push(['backward', 'backward', ({ simulation }) => simulation.backward({})]);
  const [about, name, run] = random.pick(ways);
  return {
    about: `${about} before anything has run`,
    names: [name],
    run: async (session) => void (await run(session)),
  };
};

const wrongInto: WrongCallMaker = ({ subject, worlds }, { hasRun }, random) => {
  if (!hasRun) return null;
  const key = random.pick(subject.states);
  const enough = new Float64Array(1000 * worlds);
  const [to, name]: [object, string] = random.pick<[object, string]>([
    [{ into: new Float64Array(2) }, 'into'],
    [{ into: enough, stride: 2 }, 'stride'],
    [{ into: enough, stride: 3.5 }, 'stride'],
    [{ into: enough, offset: -1 }, 'offset'],
    [{ into: enough, offset: Number.NaN }, 'offset'],
    [{ into: enough, offset: 1e9 }, key],
    [{ into: [] }, 'into'],
    [{}, 'into'],
    [{ into: enough, strid: 4 }, 'strid'],
  ]);
  return {
    about: `read ${key} with a wrong ${name}`,
    names: [key, name],
    run: async ({ simulation }) => void (await simulation.read(key, to as { into: Float64Array })),
  };
};

const wrongSeeds: WrongCallMaker = ({ subject, options }, { isWhole, hasChanged }, random) => {
  if (options.derivative !== 'adjoint') return unrequestedDerivative(options.derivative);
  if (!isWhole || hasChanged) return null;
  const [key] = options.outputs as string[];
  const other = subject.computed;
  const [parameter] = options.parameters as string[];
  const value = random.pick([Number.NaN, Number.POSITIVE_INFINITY]);
  const ways: [string, string, (session: OpenedRun) => unknown][] = [
    ['seeds of another field', other, ({ simulation }) => simulation.backward({ [other]: [1] })],
    ['too few seeds', key, ({ simulation }) => simulation.backward({ [key]: [1] })],
    ['no seeds at all', 'backward', ({ simulation }) => simulation.backward(undefined as never)],
    [
      `seeds that are ${value}`,
      key,
      async ({ simulation, worlds }) => {
        const count = (await simulation.read(key)).length;
        const copies = options.record!.includes(key) ? options.frames : 1;
        simulation.backward({ [key]: new Float64Array(count * copies).fill(value) });
        const gradient = await simulation.gradient(parameter);
        // Where nothing of the output depends on the parameter.
        if (gradient.every((x) => x === 0))
          throw new GradsimError('bench/no-dependence', `${key} does not depend on it, in ${worlds} worlds.`);
      },
    ],
    [
      'the gradient of no parameter',
      other,
      async ({ simulation }) => {
        simulation.backward({});
        await simulation.gradient(other);
      },
    ],
    ['setTangent', "derivative: 'tangent'", ({ simulation }) => simulation.setTangent(parameter, [1])],
  ];
  const [about, name, run] = random.pick(ways);
  return { about, names: [name], run: async (session) => void (await run(session)) };
};

const noState: WrongCallMaker = ({ subject, options }, { hasRun }, random) => {
  if (options.derivative !== 'tangent' || !hasRun) return null;
  const inputs = Object.keys(subject.inputs).filter((key) => !subject.states.includes(key));
  const key = random.pick([subject.computed, ...inputs]);
  return {
    about: `readTangent of ${key}`,
    names: [key],
    run: async ({ simulation }) => void (await simulation.readTangent(key)),
  };
};

const unrequestedDerivative = (derivative: unknown): WrongCall => ({
  about: `backward of what was made with derivative ${derivative}`,
  names: ['gradient'],
  run: ({ simulation }) => simulation.backward({}),
});

/** Makes a call that restores a damaged state, or a state that does not fit the model or its substeps. */
const wrongState: WrongCallMaker = ({ subject }, { hasRun }, random) => {
  if (!hasRun) return null;
  const place = random.next();
  const bit = 1 << random.whole(0, 7);
  const way = random.pick(['flip', 'flip', 'cut', 'none', 'lacking', 'length', 'rates'] as const);
  const key = subject.states[0];
  return {
    about: `a state with ${way}`,
    // Where a parameter forbids any, that is said first.
    names: ['continue'].filter(() => way !== 'cut' && way !== 'flip'),
    run: async ({ simulation }) => {
      const state = await simulation.state();
      const bytes = encodeState(state);
      if (way === 'cut') decodeState(bytes.slice(0, Math.floor(place * bytes.length)));
      else if (way === 'flip') {
        bytes[Math.floor(place * bytes.length)] ^= bit;
        simulation.continueFrom(decodeState(bytes));
      } else if (way === 'none') simulation.continueFrom((place < 0.5 ? {} : null) as never);
      else if (way === 'lacking') {
        const { [key]: _, ...states } = state.states;
        simulation.continueFrom({ ...state, states });
      } else if (way === 'length') {
        const values = { ...state.states[key], values: new Float64Array(1) };
        simulation.continueFrom({ ...state, states: { ...state.states, [key]: values } });
      } else simulation.continueFrom({ ...state, substep: 3, dt: state.dt * 1.37 });
    },
  };
};

const afterTheEnd: WrongCallMaker = ({ subject }, _, random) => {
  const key = subject.states[0];
  const ways: [string, (session: OpenedRun) => unknown][] = [
    ['forward', ({ simulation }) => simulation.forward()],
    ['step', ({ simulation }) => simulation.step()],
    ['set', ({ simulation }) => simulation.set(key, subject.inputs[key].values)],
    ['read', ({ simulation }) => simulation.read(key)],
    ['state', ({ simulation }) => simulation.state()],
    ['restart', ({ simulation }) => simulation.restart()],
    ['run', ({ simulation }) => simulation.run()],
    ['stableStep', ({ simulation }) => simulation.stableStep()],
    ['readFrames', ({ simulation }) => simulation.readFrames(key)],
  ];
  const [about, run] = random.pick(ways);
  return {
    about: `${about} after dispose`,
    names: ['disposed'],
    isTheEnd: true,
    run: async (session) => {
      session.simulation.dispose();
      session.simulation.dispose();
      await run(session);
    },
  };
};

const tooManySteps: WrongCallMaker = ({ options }) => {
  if (options.derivative !== 'adjoint') return null;
  return {
    about: 'more steps than there are frames',
    names: ['step()'],
    run: ({ simulation }) => {
      simulation.restart();
      for (let k = 0; k < options.frames; k++) simulation.step();
    },
  };
};

const WRONG_CALL_MAKERS = [
  ...[wrongValue, wrongValue, wrongCount, wrongWorld, wrongField, tooEarly, wrongInto, wrongSeeds, wrongSeeds],
  ...[wrongState, wrongState, afterTheEnd, tooManySteps, noState],
];

export function wrongCall(drawn: DrawnRun, progress: Progress, random: Draw): WrongCall {
  for (;;) {
    const made = random.pick(WRONG_CALL_MAKERS)(drawn, progress, random);
    if (made) return made;
  }
}
