import { type MarkerRecording, readMarkers } from '@gradsim/recordings/markers';
import { type JointLog, type Robot, readJointLog, readUrdf } from '@gradsim/robots';
import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { WronglyAccepted } from '../kind.ts';
import type { KnownText } from '../text-case.ts';
import { anyText, spoiltText, wholeText } from '../text-case.ts';

/**
 * Markers and logs of joints as programs write them: any separator, decimal mark, unit, heading, clock, order of columns, uneven
 * times, gaps and lines that are there twice; whole, spoilt, or randomly changed.
 */
export const tables: Kind = { name: 'tables', limit: 30, draw };

/** Way in which times are written: the heading, and the text of a time in seconds. */
interface Clock {
  readonly heading: string;
  readonly text: (t: number) => string;
  /** s. */
  readonly resolution: number;
  /** Words that a refusal must name; undefined if the clock can be read. */
  readonly asks?: string;
}

const CLOCKS: readonly Clock[] = [
  { heading: 'time', text: (t) => t.toFixed(6), resolution: 1e-6 },
  { heading: 't/ms', text: (t) => (1e3 * t).toFixed(3), resolution: 1e-6 },
  { heading: 'time [ms]', text: (t) => (1e3 * t).toFixed(0), resolution: 1e-3 },
  { heading: 'timestamp (us)', text: (t) => (1e6 * t).toFixed(0), resolution: 1e-6 },
  { heading: 'stamp', text: (t) => `17000000${String(Math.round(1e9 * (t + 1))).padStart(11, '0')}`, resolution: 1e-9 },
  { heading: 'time', text: (t) => (1.7e9 + t).toFixed(5), resolution: 1e-5 },
  { heading: 'time', text: (t) => (1e3 * t).toFixed(3), resolution: 1e-6, asks: '[ms]' },
];

interface Values {
  /** Names of columns besides that of times, as they are written. */
  readonly columns: readonly string[];
  /** Factor by which each is written. */
  readonly factors: readonly number[];
  /** Value of a column at a time, in SI units. */
  readonly value: (column: number, t: number) => number;
}

interface DrawnTable {
  readonly clock: Clock;
  readonly rate: number;
  readonly times: number[];
  readonly isUneven: boolean;
  readonly values: Values;
  readonly order: readonly number[];
  readonly separator: string;
  readonly hasCommas: boolean;
  readonly isQuoted: boolean;
  readonly repeated: readonly number[];
  readonly lead: readonly string[];
}

async function draw(random: Draw): Promise<Case> {
  const isLog = random.chance(0.5);
  const drawn = drawnOf(random, isLog ? jointValues(random) : markerValues(random), isLog);
  const of = `${isLog ? 'a log' : 'markers'}, ${drawn.times.length} rows, ${headingsOf(drawn).join(drawn.separator)}`;
  return isLog ? caseOf(await logCase(of, drawn), drawn, random) : caseOf(markerCase(of, drawn), drawn, random);
}

/** Case of a table as it is, with what cannot be read, or changed anywhere. */
function caseOf<R>(known: KnownText<R>, drawn: DrawnTable, random: Draw): Case {
  if (drawn.clock.asks)
    return spoiltText(known, { about: 'times in ms that do not say so', names: [drawn.clock.asks] }, random);
  const way = random.pick(['none', 'none', 'spoil', 'change'] as const);
  if (way === 'none') return wholeText(known, random);
  if (way === 'change') return anyText(known, random);
  const [row, column] = [random.whole(0, drawn.times.length - 1), random.whole(1, drawn.order.length - 1)];
  const word = random.pick(['x', 'true', 'Infinity', '--1', '1..2']);
  const text = (): string => textOf(drawn, { row, column, word });
  return spoiltText({ ...known, text }, { about: `"${word}" in a cell`, names: [word] }, random);
}

function drawnOf(random: Draw, values: Values, isLog: boolean): DrawnTable {
  const rate = random.pick([50, 100, 148, 240]);
  const clock = random.pick(CLOCKS);
  // A clock as coarse as a step cannot show which steps are missing.
  const isFine = clock.resolution * rate < 0.1;
  const isUneven = isFine && random.chance(0.25);
  const gap = !isUneven && isFine && random.chance(0.2) ? random.whole(20, 40) : -1;
  const times = Array.from({ length: random.whole(60, 120) }, (_, k) => {
    const at = k + (gap >= 0 && k >= gap ? 2 : 0);
    return (at + (isUneven ? 0.35 * Math.sin(3.3 * k) : 0) + 1) / rate;
  });
  const [separator, hasCommas] = random.pick([
    [',', false],
    [';', false],
    [';', true],
    ['\t', true],
    ['|', false],
  ] as const);
  const order = Array.from({ length: values.columns.length + 1 }, (_, k) => k);
  if (random.chance(0.5)) order.sort(() => random.next() - 0.5);
  return {
    ...{ clock, rate, times, isUneven, values, order, separator, hasCommas },
    isQuoted: random.chance(0.2),
    repeated: isLog && random.chance(0.2) ? [random.whole(0, times.length - 1)] : [],
    lead: random.chance(0.3) ? ['# written by a program, at night'] : [],
  };
}

const headingsOf = ({ clock, values, order }: DrawnTable): string[] =>
  order.map((k) => (k === 0 ? clock.heading : values.columns[k - 1]));

function textOf(
  drawn: DrawnTable,
  spoilt?: { readonly row: number; readonly column: number; readonly word: string },
): string {
  const { clock, times, values, order, separator, hasCommas, isQuoted, repeated, lead } = drawn;
  const written = (text: string): string => {
    const marked = hasCommas ? text.replace('.', ',') : text;
    return isQuoted ? `"${marked}"` : marked;
  };
  const rows = times.flatMap((t, r) => {
    const cells = order.map((k, at) => {
      if (spoilt && spoilt.row === r && spoilt.column === at && k > 0) return spoilt.word;
      return written(k === 0 ? clock.text(t) : (values.value(k - 1, t) * values.factors[k - 1]).toFixed(7));
    });
    // The column that is spoilt may be that of times, which comes first then.
    if (spoilt && spoilt.row === r && order[spoilt.column] === 0) cells[order.findIndex((k) => k > 0)] = spoilt.word;
    const line = cells.join(separator);
    return repeated.includes(r) ? [line, line] : [line];
  });
  return [...lead, headingsOf(drawn).join(separator), ...rows, ''].join('\n');
}

/** Markers with columns of their own, that swing. */
function markerValues(random: Draw): Values {
  const [unit, factor] = random.pick([
    ['', 1],
    [' [mm]', 1000],
    ['_cm', 100],
    ['/mm', 1000],
  ] as const);
  const markers = random.pick([['tip'], ['tip', 'side'], ['a1', 'b1', 'c1']]);
  return {
    columns: markers.flatMap((name) => ['x', 'y', 'z'].map((axis) => `${name}_${axis}${unit}`)),
    factors: markers.flatMap(() => [factor, factor, factor]),
    value: (column, t) => 0.1 * column + 0.01 * Math.sin(8 * t + column),
  };
}

/** Positions and torques of two joints. */
function jointValues(random: Draw): Values {
  const degrees = 180 / Math.PI;
  const [unit, factor] = random.pick([
    ['', 1],
    [' [deg]', degrees],
    ['_deg', degrees],
  ] as const);
  const [load, scale] = random.pick([
    ['', 1],
    [' [mNm]', 1000],
    ['_Nm', 1],
  ] as const);
  const names = random.pick([
    ['pos_shoulder', 'tau_shoulder', 'pos_elbow', 'tau_elbow'],
    ['pos1', 'tau1', 'pos2', 'tau2'],
    ['actual_q_0', 'actual_moment_0', 'actual_q_1', 'actual_moment_1'],
    [
      '/joint_states/shoulder/position',
      '/joint_states/shoulder/effort',
      '/joint_states/elbow/position',
      '/joint_states/elbow/effort',
    ],
  ]);
  return {
    columns: names.map((name, k) => `${name}${k % 2 === 0 ? unit : load}`),
    factors: names.map((_, k) => (k % 2 === 0 ? factor : scale)),
    value: (column, t) => (column % 2 === 0 ? 0.4 : 2) * Math.sin(7 * t + column),
  };
}

const ARM = `<robot name="arm"><link name="base"/>${['shoulder', 'elbow']
  .map(
    (name, k) =>
      `<link name="l${k}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="${name}" type="continuous"><parent link="${k === 0 ? 'base' : 'l0'}"/><child link="l${k}"/></joint>`,
  )
  .join('')}</robot>`;

async function logCase(of: string, drawn: DrawnTable): Promise<KnownText<JointLog>> {
  const robot: Robot = await readUrdf(ARM);
  const { times, values, clock, rate } = drawn;
  return {
    description: of,
    text: () => textOf(drawn),
    read: (text) => {
      const log = readJointLog(text, robot, 'drawn.csv');
      if (![...log.positions, ...log.torques, log.time].flat().every(Number.isFinite))
        throw new WronglyAccepted('with what is no number');
      if (log.time.some((t, k) => k > 0 && t <= log.time[k - 1]))
        throw new WronglyAccepted('with times that do not ascend');
      return log;
    },
    isSame: ({ time, positions, torques }) =>
      time.length === times.length &&
      time.every((t, k) => Math.abs(t - time[0] - (times[k] - times[0])) <= 1.1 * clock.resolution + 0.01 / rate) &&
      times.every((t, k) =>
        [0, 1].every(
          (j) =>
            Math.abs(positions[j][k] - values.value(2 * j, t)) < 1e-6 &&
            Math.abs(torques[j][k] - values.value(2 * j + 1, t)) < 1e-6,
        ),
      ),
  };
}

function markerCase(of: string, drawn: DrawnTable): KnownText<MarkerRecording> {
  const { times, values, clock, isUneven } = drawn;
  // Uneven rows are interpolated; times that are rounded are off by half of that, at up to 0.08 m/s.
  const tolerance = (isUneven ? 2e-5 : 1e-6) + 0.1 * clock.resolution;
  return {
    description: of,
    text: () => textOf(drawn),
    read: (text) => {
      const recording = readMarkers(text, { name: 'drawn.csv' });
      const { frameRate, positions, frames, markers } = recording;
      if (!(frameRate > 0 && Number.isFinite(frameRate))) throw new WronglyAccepted(`at ${frameRate} Hz`);
      if (positions.length !== 3 * frames * markers.length)
        throw new WronglyAccepted('with positions of another number');
      return recording;
    },
    isSame: ({ frameRate, frames, markers, positions }) => {
      const count = markers.length;
      const named = values.columns.filter((_, k) => k % 3 === 0).map((name) => name.split('_')[0]);
      if (
        count !== named.length ||
        Math.abs(frames / frameRate - (times[times.length - 1] - times[0])) > 2.5 / frameRate
      )
        return false;
      return markers.every((marker, m) =>
        Array.from({ length: frames }, (_, f) => f).every((f) => {
          const t = times[0] + f / frameRate;
          return [0, 1, 2].every((c) => {
            const x = positions[3 * (f * count + m) + c];
            return Number.isNaN(x) || Math.abs(x - values.value(3 * named.indexOf(marker) + c, t)) < tolerance;
          });
        }),
      );
    },
  };
}
