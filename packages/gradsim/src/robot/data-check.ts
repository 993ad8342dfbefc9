import type { Coverage } from '@gradsim/robots';
import { alignColumns } from '../terminal/align-columns.ts';
import { formatNumber } from '../terminal/numbers.ts';

/** Range of a joint, rad or m, below which its weight and inertia hardly change. */
const SMALL_RANGE = 0.3;
/** Least part of the time in which a joint slides, and the part of that in one direction. */
const [LEAST_SLIDING, LEAST_WAY] = [0.5, 0.2];
/** Least number of turns around, by which dry friction is told from a bias. */
const LEAST_TURNS = 6;
/** Samples in a period of the band of torques, at least, and steps in a gap. */
const [SAMPLES, GAP] = [4, 5];
/** Combinations that are listed at most. */
const MAX_LISTED = 6;

const three = (x: number): string => formatNumber(x, 3);
const percent = (x: number): string => `${Math.round(100 * x)} %`;

/** A screen on what logs cover, before anything is estimated: tables, what is weak, and what to move more. */
export const dataLines = (coverage: Coverage, torqueBand: number): string[] => [
  ...alignColumns([
    ['log', 'seconds', 'samples/s', 'longest gap, s'],
    ...coverage.logs.map(({ name, seconds, rate, gap }) => [name, three(seconds), three(rate), three(gap.seconds)]),
  ]),
  '',
  ...alignColumns([
    ['joint', 'from', 'to', 'usual speed', 'fastest', 'forward', 'back', 'turns', 'unit'],
    ...coverage.joints.map(({ joint, from, to, usual, fastest, forward, back, turns, unit }) => [
      joint,
      ...[from, to, usual, fastest].map(three),
      percent(forward),
      percent(back),
      String(turns),
      `${unit}, s`,
    ]),
  ]),
  ...advice(coverage, torqueBand),
];

function advice({ logs, joints, weak, undetermined }: Coverage, torqueBand: number): string[] {
  const ofLogs = logs.flatMap(({ name, rate, gap }) => [
    ...(rate < SAMPLES * torqueBand
      ? [
          `${name}: ${three(rate)} samples a second tell torques up to ${three(rate / SAMPLES)} Hz: --set torqueBand=${three(rate / SAMPLES)}, or log faster.`,
        ]
      : []),
    ...(gap.seconds * rate > GAP
      ? [
          `${name}: no samples for ${three(gap.seconds)} s from ${three(gap.from)} s; what is between is a guess: split the log there if it moves.`,
        ]
      : []),
  ]);
  const ofJoints = joints.flatMap(({ joint, unit, from, to, forward, back, turns, stillIn }) => {
    const named = `Joint "${joint}"`;
    const both = forward + back;
    return [
      ...(stillIn.length > 0 ? [`${named} stands still in ${stillIn.join(', ')}.`] : []),
      ...(to - from < SMALL_RANGE
        ? [
            `${named} moves through ${three(to - from)} ${unit} alone: move it further, or centres of mass stay unknown.`,
          ]
        : []),
      ...(both < LEAST_SLIDING
        ? [`${named} slides ${percent(both)} of the time; where it stands or creeps, nothing counts: move it faster.`]
        : Math.min(forward, back) < LEAST_WAY * both
          ? [`${named} moves one way most of the time: move it both ways alike, or dry friction looks like a bias.`]
          : []),
      ...(turns < LEAST_TURNS && to - from >= SMALL_RANGE
        ? [`${named} turns around ${turns} times: let it turn more often, at different speeds.`]
        : []),
    ];
  });
  const few = weak.slice(0, MAX_LISTED).map(({ name, part }) => `${name} (${(100 * part).toPrecision(2)} %)`);
  return [
    ...ofLogs,
    ...ofJoints,
    ...(few.length > 0
      ? [
          `Hardly told from other parameters, by the part of their torque that no other explains: ${few.join('; ')}${weak.length > MAX_LISTED ? ` and ${weak.length - MAX_LISTED} more` : ''}. Move these links faster and in other postures.`,
        ]
      : []),
    `The motion does not determine ${undetermined.length} combinations${weak.length > 0 ? '' : ', and tells all others apart'}.`,
  ];
}
