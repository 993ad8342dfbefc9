// Films of balls that are thrown or swing, drawn from paths that small steps of the equations of motion give: nothing of the
// models that are judged is in them.
import { standardNormal } from '@gradsim/base';
import { createFrames, encodeFrames, fromLinear } from '@gradsim/video';

/** Scene of the film: a ball at a distance from a camera that looks straight at the plane of its motion. */
export interface DrawnBall {
  readonly radius: number;
  /** Distance of the plane from the camera, m. */
  readonly away: number;
  /** Vertical field of view, degrees. */
  readonly fieldOfView: number;
  /** Place at each time, m, from the middle of the picture, y upwards. */
  readonly at: (time: number) => readonly [x: number, y: number];
}

const SIZE = { width: 320, height: 240 };
const [STEP, INSTANTS, SHUTTER] = [2e-5, 6, 0.004];
/** Standard deviation of a pixel, of light from 0 to 1. */
const NOISE = 0.006;

/** Path of a state by its derivative, by the midpoint rule, for a time, s. */
export function pathOf(
  start: readonly number[],
  slope: (state: readonly number[]) => readonly number[],
  seconds: number,
): (time: number) => readonly number[] {
  const states: (readonly number[])[] = [start];
  for (let state = start; states.length * STEP < seconds + 0.1; states.push(state)) {
    const first = slope(state);
    const middle = slope(state.map((v, k) => v + (STEP / 2) * first[k]));
    state = state.map((v, k) => v + STEP * middle[k]);
  }
  return (time) => states[Math.max(0, Math.round(time / STEP))];
}

/** A film as WebM. */
export function drawFilm(
  ball: DrawnBall,
  times: readonly number[],
  rate: number,
  random: () => number,
): Promise<Uint8Array> {
  const { width, height } = SIZE;
  const film = { ...createFrames({ ...SIZE, channels: 3, frameRate: rate }, times.length), times };
  const scale = height / 2 / Math.tan((ball.fieldOfView * Math.PI) / 360) / ball.away;
  const r = ball.radius * scale;
  times.forEach((time, f) => {
    const cover = new Float32Array(width * height);
    for (let i = 0; i < INSTANTS; i++) {
      const [x, y] = ball.at(Math.max(0, time + SHUTTER * ((i + 0.5) / INSTANTS - 0.5)));
      const [u, v] = [width / 2 + scale * x, height / 2 - scale * y];
      for (let row = Math.max(0, Math.floor(v - r - 1)); row < Math.min(height, v + r + 1); row++)
        for (let column = Math.max(0, Math.floor(u - r - 1)); column < Math.min(width, u + r + 1); column++)
          cover[row * width + column] +=
            Math.min(Math.max(r + 0.5 - Math.hypot(column + 0.5 - u, row + 0.5 - v), 0), 1) / INSTANTS;
    }
    cover.forEach((part, p) => {
      const [column, row] = [p % width, Math.floor(p / width)];
      const ground = 0.3 + 0.12 * Math.sin(column / 17) * Math.cos(row / 23) + (0.1 * row) / height;
      for (let c = 0; c < 3; c++)
        film.data[(f * width * height + p) * 3 + c] =
          ground + part * ([0.85, 0.2, 0.12][c] - ground) + NOISE * standardNormal(random);
    });
  });
  film.data.forEach((value, k) => {
    film.data[k] = Math.min(1, Math.max(0, value));
  });
  // Light adds up, not what is stored.
  return encodeFrames(fromLinear(film, 'srgb'), 'webm');
}
