import { LookAtCamera } from '@gradsim/render';
import { expect, it } from 'vitest';
import { draws, randomNumbers } from '../../../../scripts/vitest/draws.ts';
import type { BoxFlight } from '../../src/index.ts';
import { boxOutline, filmCamera, flightOfBox, startsOfTumble } from '../../src/index.ts';
import { middleOf, reachesOf } from '../../src/outlines/reach.ts';
import { angleBetween } from '../../src/starts/box/rotations.ts';
import { freelyTurned, halfTurnsOf } from '../../src/starts/box/turning.ts';

/** Seed of the random tumbles. */
const SEED = 7;

type Matrix = readonly (readonly number[])[];
const multiply = (a: Matrix, b: Matrix): number[][] =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, v, k) => sum + v * b[k][j], 0)));
const apply = (a: Matrix, v: readonly number[]): number[] => a.map((row) => row.reduce((s, c, k) => s + c * v[k], 0));
/** Rotation matrix for a rotation vector, rad, by Rodrigues' formula. */
function rotation(vector: readonly number[]): number[][] {
  const angle = Math.hypot(...vector);
  if (angle === 0)
    return [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
  const [x, y, z] = vector.map((c) => c / angle);
  const [s, c] = [Math.sin(angle), 1 - Math.cos(angle)];
  return [
    [1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
    [c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x],
    [c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)],
  ];
}
const ofQuaternion = ([x, y, z, w]: readonly number[]): number[][] => {
  const half = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(half, w);
  return rotation([x, y, z].map((c) => (half === 0 ? 0 : (c * angle) / half)));
};
const transposed = (a: Matrix): number[][] => a[0].map((_, j) => a.map((row) => row[j]));

// The true rotation follows Euler's equations in the body's axes, in small steps; outlines are those of points all over
// the box's edges, the farthest in each direction. Known to 0.3 pixels.
it('the true start of a tumbling box, to 0.1 rad and 0.5 rad/s, is among the candidates found from its noisy outlines', async () => {
  const next = randomNumbers(SEED);
  console.info(`tumble: seed ${SEED}`);
  const size = [0.16, 0.1, 0.06];
  const frameRate = 60;
  const camera = await filmCamera(
    LookAtCamera,
    { eye: [0.3, 0.7, 2], target: [0, 0.5, 0], fieldOfView: 0.7 },
    { width: 480, height: 360 },
  );
  const TOSSES = draws(1, 2);
  let found = 0;
  for (let toss = 0; toss < TOSSES; toss++) {
    const velocity = [0.6, 1.2, -0.2];
    const at = (t: number) => ({
      position: [-0.3 + velocity[0] * t, 0.4 + velocity[1] * t - 4.905 * t * t, velocity[2] * t],
      velocity,
    });
    let turned: number[][] = rotation([0, 1, 2].map(() => 4 * (next() - 0.5)));
    const start = turned;
    let spin = [0, 1, 2].map(() => 14 * (next() - 0.5));
    const world = apply(start, spin);
    const [a, b, c] = size.map((side) => side * side);
    const moments = [b + c, a + c, a + b];
    const outlines = Array.from({ length: 30 }, (_, frame) => {
      const steps = frame === 0 ? 0 : 400;
      for (let step = 0; step < steps; step++) {
        const h = 1 / frameRate / steps;
        const [p, q, r] = spin;
        spin = [
          p + (h * (moments[1] - moments[2]) * q * r) / moments[0],
          q + (h * (moments[2] - moments[0]) * r * p) / moments[1],
          r + (h * (moments[0] - moments[1]) * p * q) / moments[2],
        ];
        turned = multiply(turned, rotation(spin.map((s) => s * h)));
      }
      const { position } = at(frame / frameRate);
      const faces = [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 3, 7, 5],
      ];
      const corners = Array.from({ length: 8 }, (_, k) =>
        camera.project(
          apply(turned, [((k >> 2) - 0.5) * size[0], (((k >> 1) & 1) - 0.5) * size[1], ((k & 1) - 0.5) * size[2]]).map(
            (v, i) => v + position[i],
          ),
        ),
      );
      // Each face that is seen from in front covers its own part of the outline.
      const lines = faces.map((face) => face.map((corner) => corners[corner]));
      let [sum, x, y] = [0, 0, 0];
      for (const line of lines) {
        const own = middleOf(line);
        sum += own.size ** 2;
        x += own.x * own.size ** 2;
        y += own.y * own.size ** 2;
      }
      const noise = (): number => 0.3 * (next() + next() + next() - 1.5) * 2;
      const [u, v] = [x / sum, y / sum];
      // Faces in front and those behind each cover all of it.
      return {
        x: u,
        y: v,
        size: Math.sqrt(sum / 2),
        reaches: reachesOf(lines, u, v).map((reach) => reach + noise()),
      };
    });
    const points = outlines.map(({ x, y, size: radius }, frame) => ({
      frame,
      time: frame / frameRate,
      x,
      y,
      area: Math.PI * radius ** 2,
    }));
    const flight: BoxFlight = flightOfBox({ name: 'box', points }, camera, { size });
    // Its middle is half a diagonal, 0.1 m, above the floor at 23.9 frames.
    expect(flight.end).toBeGreaterThan(20);
    expect(flight.end).toBeLessThanOrEqual(25);
    const answers = startsOfTumble(outlines, camera, {
      size,
      flight,
      times: outlines.map((_, frame) => frame / frameRate),
      end: flight.end,
    });
    const errors = answers.map(({ orientation, angularVelocity, position, velocity: speed }) => ({
      place: Math.hypot(...position.map((c, k) => c - at(0).position[k])),
      speed: Math.hypot(...speed.map((c, k) => c - velocity[k])),
      // Half turns about the box's axes are the same.
      turn: Math.min(
        ...[
          [0, 0, 0],
          [Math.PI, 0, 0],
          [0, Math.PI, 0],
          [0, 0, Math.PI],
        ].map((half) => {
          const off = multiply(transposed(start), multiply(ofQuaternion(orientation), rotation(half)));
          return Math.acos(Math.min(1, (off[0][0] + off[1][1] + off[2][2] - 1) / 2));
        }),
      ),
      spin: Math.hypot(...angularVelocity.map((w, k) => w - world[k])),
    }));
    console.info(
      answers
        .map(
          (a, k) =>
            `${a.residual.toFixed(2)} px: ${errors[k].turn.toFixed(3)} rad, ${errors[k].spin.toFixed(2)} rad/s, ${errors[k].place.toFixed(3)} m, ${errors[k].speed.toFixed(3)} m/s`,
        )
        .join('; '),
    );
    const [best] = errors.sort((one, other) => one.turn - other.turn);
    if (best.turn < 0.1 && best.spin < 0.5 && best.place < 0.02 && best.speed < 0.1) found++;
  }
  expect(found).toBe(TOSSES);
});

// The area of a box that turns tells its distance to some 15 %: a rotation must be found at whatever distance its outlines suit.
it('the true rotation of a box is found first, to 0.1 rad and 0.3 rad/s, from a flight that is a third too near', async () => {
  const size = [0.19, 0.1, 0.055];
  const lens = { eye: [0.2, 0.75, 1], target: [-0.1, 0.35, 0], fieldOfView: 0.75 };
  const camera = await filmCamera(LookAtCamera, lens, { width: 480, height: 360 });
  const start = { orientation: [-0.13, -0.26, -0.43, 0.855], angularVelocity: [0, 5.3, -1] };
  const at = (t: number) => ({
    position: [-0.28 + 0.95 * t, 0.58 + 0.42 * t - 5.9 * t * t, 0.02 * t],
    velocity: [0.95, 0.42 - 11.8 * t, 0.02],
  });
  const times = Array.from({ length: 10 }, (_, frame) => frame / 30);
  const outlines = times.map((t) => {
    const { orientation } = freelyTurned(start, t, size);
    return boxOutline(size, { position: at(t).position, orientation }, camera.project);
  });
  const near = 0.75;
  const flight = {
    ...at(0),
    gravity: near * 11.8,
    contacts: [],
    at: (t: number) => ({
      position: at(t).position.map((c, k) => lens.eye[k] + near * (c - lens.eye[k])),
      velocity: at(t).velocity.map((v) => near * v),
    }),
  } as unknown as BoxFlight;
  const [best] = startsOfTumble(outlines, camera, { size, flight, times, falls: true });
  expect(best.residual).toBeLessThan(0.1);
  const turns = halfTurnsOf(best.orientation).map((turned) => angleBetween(turned, start.orientation));
  expect(Math.min(...turns)).toBeLessThan(0.1);
  expect(Math.hypot(...best.angularVelocity.map((w, k) => w - start.angularVelocity[k]))).toBeLessThan(0.3);
});

it('the flight of a box is refused with a side of 0 or if a corner may touch the floor from the start; its spin without outlines', async () => {
  const camera = await filmCamera(LookAtCamera, { eye: [0, 0.5, 2], target: [0, 0.5, 0] }, { width: 64, height: 64 });
  const points = Array.from({ length: 9 }, (_, frame) => {
    const time = frame / 30;
    const [x, y] = camera.project([0.5 * time, 0.3 - 4.905 * time ** 2, 0]);
    return { frame, time, x, y, area: 20 };
  });
  const track = { name: 'box', points };
  expect(() => flightOfBox(track, camera, { size: [0.1, 0, 0.1] })).toThrowCode({
    code: 'film/option-out-of-range',
    field: 'size',
    values: ['(0.1, 0, 0.1)'],
  });
  expect(() => flightOfBox(track, camera, { size: [0.5, 0.5, 0.5] })).toThrowCode('film/track-too-short');
  const flight = flightOfBox(track, camera, { size: [0.1, 0.1, 0.1], floor: -5 });
  expect(() => startsOfTumble([], camera, { size: [0.1, 0.1, 0.1], flight, times: [] })).toThrowCode({
    code: 'film/track-too-short',
    values: [0],
  });
});

it('the flight of a box ends where it bounces, by whatever gravity is tried', async () => {
  const eye = [0.68, 0.59, 1.86];
  const lens = { eye, target: [0.31, 0.36, 0.14], fieldOfView: 0.75 };
  const camera = await filmCamera(LookAtCamera, lens, { width: 480, height: 360 });
  const size = [0.18, 0.1, 0.06];
  const [height, speed, gravity] = [0.6, 0.28, 8.46];
  // Its middle comes down to 0.08 m, when a corner strikes.
  const strikes = (speed + Math.sqrt(speed ** 2 + 2 * gravity * (height - 0.08))) / gravity;
  const heightAt = (t: number): number =>
    t < strikes
      ? height + speed * t - (gravity * t * t) / 2
      : 0.08 + 0.9 * (t - strikes) - (gravity * (t - strikes) ** 2) / 2;
  // The middle of its outline wavers as it turns.
  const points = Array.from({ length: 18 }, (_, frame) => {
    const time = frame / 30;
    const [x, y] = camera.project([-0.28 + 0.8 * time, heightAt(time), 0]);
    const far = Math.hypot(-0.28 + 0.8 * time - eye[0], heightAt(time) - eye[1], eye[2]);
    const area = ((0.0348 / 2) * (180 / Math.tan(0.375)) ** 2) / far ** 2;
    return { frame, time, x, y: y + 2 * Math.cos(frame), area };
  });
  const flight = flightOfBox({ name: 'box', points }, camera, { size, gravity: null });
  expect(flight.end).toBeGreaterThan(8);
  expect(flight.end / 30).toBeLessThan(strikes + 2 / 30);
});
