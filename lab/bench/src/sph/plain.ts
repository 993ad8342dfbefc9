import type { PlainTimes } from '../support/substeps.ts';
import { placesOf, REFRESH, SUBSTEP, spreadOf, WATER } from './water.ts';

const [H, SPACING, REST, GRAVITY] = [0.1, 0.05, 1000, 9.81];
const MASS = REST * SPACING ** 3;
/** Distance up to which neighbours are listed, m: farther ones are not reached before the next search. */
const LISTED = H + 2 * 4 * REFRESH * SUBSTEP;
const MOST = 90;

/**
 * Runs the cube of water in a plain loop in double precision, as one writes it without a library.
 * @returns processor time of a substep, ms, and how far the particles spread at the end, m.
 */
export function plainWater(side: number, substeps: number): PlainTimes {
  const count = side ** 3;
  const x = Float64Array.from(placesOf(side));
  const v = new Float64Array(3 * count);
  const density = new Float64Array(count);
  const lists = new Int32Array(MOST * count);
  const lengths = new Int32Array(count);
  const began = process.cpuUsage();
  for (let step = 0; step < substeps; step++) {
    if (step % REFRESH === 0) search(x, lists, lengths);
    for (let i = 0; i < count; i++) {
      let sum = H ** 6;
      for (let k = 0; k < lengths[i]; k++) {
        const j = lists[MOST * i + k];
        const [dx, dy, dz] = [x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]];
        const q = H ** 2 - (dx * dx + dy * dy + dz * dz);
        if (q > 0) sum += q * q * q;
      }
      density[i] = (sum * MASS * 315) / (64 * Math.PI * H ** 9);
    }
    const a = new Float64Array(3 * count);
    for (let i = 0; i < count; i++)
      for (let k = 0; k < lengths[i]; k++) {
        const j = lists[MOST * i + k];
        const [dx, dy, dz] = [x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]];
        const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const inside = H - distance;
        if (inside <= 0) continue;
        const left = (inside * 45 * MASS) / (Math.PI * H ** 6) / (density[i] * density[j]);
        const push = (WATER.stiffness * (density[i] + density[j] - 2 * REST) * 0.5 * inside) / distance;
        a[3 * i] += left * (WATER.viscosity * (v[3 * j] - v[3 * i]) - push * dx);
        a[3 * i + 1] += left * (WATER.viscosity * (v[3 * j + 1] - v[3 * i + 1]) - push * dy);
        a[3 * i + 2] += left * (WATER.viscosity * (v[3 * j + 2] - v[3 * i + 2]) - push * dz);
      }
    for (let k = 0; k < 3 * count; k++) {
      v[k] += SUBSTEP * (a[k] - (k % 3 === 1 ? GRAVITY : 0));
      x[k] += SUBSTEP * v[k];
    }
  }
  const { user, system } = process.cpuUsage(began);
  return { substepMs: (user + system) / 1000 / substeps, spread: spreadOf(x) };
}

/** Lists the neighbours of each particle, by cells as wide as their distance. */
function search(x: Float64Array, lists: Int32Array, lengths: Int32Array): void {
  const count = lengths.length;
  const low = [0, 1, 2].map((axis) =>
    x.reduce((least, value, k) => (k % 3 === axis ? Math.min(least, value) : least), 0),
  );
  const cellOf = (i: number, axis: number): number => Math.floor((x[3 * i + axis] - low[axis]) / LISTED) + 1;
  const sizes = [0, 1, 2].map((axis) => {
    let most = 0;
    for (let i = 0; i < count; i++) most = Math.max(most, cellOf(i, axis));
    return most + 2;
  });
  const keyOf = (i: number): number => (cellOf(i, 0) * sizes[1] + cellOf(i, 1)) * sizes[2] + cellOf(i, 2);
  const starts = new Int32Array(sizes[0] * sizes[1] * sizes[2] + 1);
  for (let i = 0; i < count; i++) starts[keyOf(i) + 1]++;
  for (let k = 0; k + 1 < starts.length; k++) starts[k + 1] += starts[k];
  const filled = starts.slice();
  const sorted = new Int32Array(count);
  for (let i = 0; i < count; i++) sorted[filled[keyOf(i)]++] = i;
  for (let i = 0; i < count; i++) {
    let length = 0;
    const own = keyOf(i);
    for (let a = -1; a <= 1; a++)
      for (let b = -1; b <= 1; b++) {
        const cell = own + (a * sizes[1] + b) * sizes[2];
        for (let s = starts[cell - 1]; s < starts[cell + 2]; s++) {
          const j = sorted[s];
          const [dx, dy, dz] = [x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]];
          if (j !== i && dx * dx + dy * dy + dz * dz < LISTED ** 2 && length < MOST) lists[MOST * i + length++] = j;
        }
      }
    lengths[i] = length;
  }
}
