import type { FilmCamera } from '../../camera.ts';
import type { BoxState } from '../../starts/turning.ts';
import { times, turnBy } from '../../starts/turning.ts';
import type { Pictures } from '../cut.ts';
import type { PartSeen, Round } from '../picture-fit.ts';
import { fitThing } from '../picture-fit.ts';
import { sidesSeen } from './picture.ts';

/** What is known of the box and of the camera. */
export interface Known {
  readonly size: readonly number[];
  readonly camera: FilmCamera;
}

/** A box found in a picture. */
export interface Fitted {
  readonly state: BoxState;
  /** Exposure, s. */
  readonly seconds: number;
  /** Of its pixels, the part that it does not explain. */
  readonly strange: number;
  /** Of its pixels, the part that looks like what is behind. */
  readonly plain: number;
}

/** Steps of the differences, and how far the start may be off: m and rad, and parts of the exposure. */
const STEP = [2e-4, 2e-4, 2e-4, 2e-3, 2e-3, 2e-3, 0.02];
const DOUBT = [0.03, 0.03, 0.03, 0.2, 0.2, 0.2, 1];
const ROUNDS: readonly Round[] = [
  ...([
    [6, 0.3],
    [6, 0.3],
    [4, 0.2],
    [4, 0.2],
    [2, 0.15],
    [2, 0.1],
  ] as const),
  ...([
    [1, 0.08],
    [1, 0.05],
    [1, 0.05],
  ] as const),
];
/** A side that covers less has one colour all over. Pixels. */
const LARGE = 80;
/** Pixels over which colours of a side change. */
const ACROSS = 20;

/** Where a box is in a picture, and how it is turned: each side in a colour of its own that may change evenly across it. */
export function fitBox(
  pictures: Pictures,
  start: BoxState,
  seconds: number,
  { size, camera }: Known,
  opens: boolean,
): Fitted {
  const at = (values: readonly number[]): { state: BoxState; seconds: number } => ({
    state: {
      ...start,
      position: start.position.map((c, k) => c + values[k]),
      orientation: times(turnBy(values.slice(3, 6), 1), start.orientation),
    },
    seconds: seconds * (1 + (values[6] ?? 0)),
  });
  const count = opens ? 7 : 6;
  const { cut } = pictures;
  const { values, ...explained } = fitThing(
    pictures,
    {
      steps: STEP.slice(0, count),
      doubts: DOUBT.slice(0, count),
      partsAt: (values, soft) => {
        const { state, seconds } = at(values);
        return sidesSeen(size, state, seconds, camera, cut, soft).map(({ cover, area, x, y }): PartSeen => {
          if (area < LARGE) return { cover, patterns: [] };
          const across = cover.map((part, p) => (part * ((p % cut.width) - x)) / ACROSS);
          const down = cover.map((part, p) => (part * (Math.floor(p / cut.width) - y)) / ACROSS);
          return { cover, patterns: [across, down] };
        });
      },
    },
    ROUNDS,
  );
  return { ...at(values), ...explained };
}
