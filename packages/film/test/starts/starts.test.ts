import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LookAtCamera, OrbitCamera } from '@gradsim/render';
import { formatTracks, readFrames, readTracks, type Track } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { randomBetween, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { bounceIn, filmCamera, readFilm, startOfFlight, startOfSlide } from '../../src/index.ts';

const films = fileURLToPath(new URL('../../../../../shared/data/films/', import.meta.url));
const missing = await whyNoFilms();
if (missing) console.warn(`skipped: films of known truth: ${missing}`);

async function whyNoFilms(): Promise<string | undefined> {
  if (!existsSync(films)) return '../../shared/data/films is not there';
  try {
    await readFrames(`${films}bounce.mp4`, { last: 0, size: { width: 8, height: 6 } });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const SIZE = { width: 320, height: 240 };
const SEED = seedOfRun('starts');

/** Path of a drop that bounces on the ground at y = 0, sampled at a low rate but computed exactly. */
function bouncing(start: { p: number[]; v: number[] }, restitution: number, rate: number, count: number) {
  let { p, v } = start;
  let time = 0;
  const impacts: number[] = [];
  return {
    impacts,
    places: Array.from({ length: count }, (_, k) => {
      for (;;) {
        const t = (v[1] + Math.sqrt(v[1] ** 2 + 2 * 9.81 * p[1])) / 9.81;
        const left = k / rate - time;
        const at = (s: number) => [p[0] + v[0] * s, p[1] + v[1] * s - 4.905 * s * s, p[2] + v[2] * s];
        if (t > left) return at(left);
        p = [at(t)[0], 0, at(t)[2]];
        v = [0.9 * v[0], restitution * (9.81 * t - v[1]), 0.9 * v[2]];
        time += t;
        impacts.push(time);
      }
    }),
  };
}

const trackOf = (points: readonly (readonly [number, number])[], rate: number): Track => ({
  name: 'made',
  points: points.map(([x, y], frame) => ({ frame, time: frame / rate, x, y })),
});

describe('startOfFlight', () => {
  it('finds start, contacts and restitution of a bouncing point from its positions in the pictures of a known camera', async () => {
    const draw = randomBetween(SEED);
    for (let trial = 0; trial < 5; trial++) {
      const camera = await filmCamera(
        LookAtCamera,
        {
          eye: [0.3 * draw(), 1 + 0.3 * draw(), 4],
          target: [0, 0.6, 0],
          fieldOfView: 0.8,
          distortion: [-0.05, 0.01],
        },
        SIZE,
      );
      const start = {
        p: [-1 + 0.1 * draw(), 1.2 + 0.2 * draw(), 0.4 * draw()],
        v: [1.6 + 0.2 * draw(), 0.5 * draw(), 0.4 * draw()],
      };
      const { places, impacts } = bouncing(start, 0.75, 25, 32);
      const track = trackOf(
        places.map((place) => camera.project(place)),
        25,
      );
      const found = startOfFlight(track, camera);
      expect(found.residual).toBeLessThan(0.02);
      found.position.forEach((c, k) => expect(Math.abs(c - start.p[k])).toBeLessThan(2e-3));
      found.velocity.forEach((c, k) => expect(Math.abs(c - start.v[k])).toBeLessThan(1e-2));
      // A contact followed by too few points is not among them.
      const told = impacts.filter((time) => 31 / 25 - time > 5 / 25);
      expect(found.contacts.length).toBeGreaterThanOrEqual(told.length);
      found.contacts.forEach(({ time, restitution }, k) => {
        expect(Math.abs(time - impacts[k])).toBeLessThan(2e-3);
        expect(Math.abs(restitution - 0.75)).toBeLessThan(5e-3);
      });
    }
  });

  it('finds the first bounces of a film of 4,800 frames that ends with a ball at rest, without following the others', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0, 1, 4], target: [0, 0.6, 0], fieldOfView: 0.8 }, SIZE);
    const { places, impacts } = bouncing({ p: [-1, 1.2, 0.2], v: [0.05, 0, 0] }, 0.8, 240, 1000);
    const resting = Array.from({ length: 3800 }, () => places[999]);
    const track = trackOf(
      [...places, ...resting].map((place) => camera.project(place)),
      240,
    );
    const { position, contacts, residual } = startOfFlight(track, camera, { contacts: 2 });
    expect(residual).toBeLessThan(0.02);
    expect(position[1]).toBeCloseTo(1.2, 3);
    expect(contacts).toHaveLength(2);
    contacts.forEach(({ time, restitution }, k) => {
      expect(Math.abs(time - impacts[k])).toBeLessThan(1e-3);
      expect(restitution).toBeCloseTo(0.8, 3);
    });
    expect(() => startOfFlight(track, camera, { contacts: -1 })).toThrowCode({
      code: 'film/option-out-of-range',
      field: 'contacts',
      values: [-1],
    });
  });

  it('states its uncertainty: over 80 % of noisy values are within two stated standard deviations of the truth', async () => {
    // Fixed tracks: with others a few more may lie outside.
    const draw = randomBetween(1);
    const normal = () => Array.from({ length: 12 }, () => draw()).reduce((sum, v) => sum + v, 0) / 2;
    const camera = await filmCamera(
      OrbitCamera,
      { target: [0, 0.6, 0], distance: 4, elevation: 0.1, fieldOfView: 0.8 },
      SIZE,
    );
    let [within, all] = [0, 0];
    for (let trial = 0; trial < 20; trial++) {
      const start = { p: [-1, 1.2, 0.2], v: [1.6, 0.8, -0.3] };
      const { places } = bouncing(start, 0.7, 30, 18);
      const track = trackOf(
        places.map((place) => camera.project(place).map((c) => c + 0.3 * normal()) as [number, number]),
        30,
      );
      const { position, velocity, deviations } = startOfFlight(track, camera);
      [...position, ...velocity].forEach((value, k) => {
        const deviation = [...deviations.position, ...deviations.velocity][k];
        all++;
        if (Math.abs(value - [...start.p, ...start.v][k]) < 2 * deviation) within++;
      });
    }
    console.info(`starts: ${within} of ${all} within two deviations`);
    expect(within / all).toBeGreaterThan(0.8);
  });

  it('fits a flight with given drag to a track from CSV, with a tenth of the residual without drag', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0, 1, 5], target: [0, 1, 0], fieldOfView: 0.8 }, SIZE);
    // Euler's steps, a thousand a frame.
    let [p, v]: [number[], number[]] = [
      [-1.5, 1, 0],
      [5, 4, 0.5],
    ];
    const places = Array.from({ length: 20 }, () => {
      const here = p;
      for (let step = 0; step < 1000; step++) {
        const h = 1 / 40_000;
        const speed = Math.hypot(...v);
        p = p.map((c, k) => c + h * v[k]);
        v = v.map((c, k) => c + h * ((k === 1 ? -9.81 : 0) - 0.1 * speed * c));
      }
      return here;
    });
    const made = trackOf(
      places.map((place) => camera.project(place)),
      40,
    );
    const [track] = readTracks(formatTracks([made]));
    const found = startOfFlight(track, camera, { drag: 0.1, contacts: false });
    [-1.5, 1, 0].forEach((c, k) => expect(Math.abs(found.position[k] - c)).toBeLessThan(3e-3));
    [5, 4, 0.5].forEach((c, k) => expect(Math.abs(found.velocity[k] - c)).toBeLessThan(2e-2));
    const without = startOfFlight(track, camera, { contacts: false });
    expect(without.residual).toBeGreaterThan(10 * found.residual);
  });

  it('finds unknown gravity by the areas of a ball of known radius, to 1 %, and unknown drag to a factor of 2', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0.3, 1, 4], target: [0, 0.8, 0], fieldOfView: 0.8 }, SIZE);
    const radius = 0.1;
    // The silhouette is the circle in which lines of sight touch the ball; its area in the picture by the shoelace formula.
    const pointOf = (place: readonly number[], frame: number) => {
      const sight = place.map((c, k) => c - camera.position[k]);
      const far = Math.hypot(...sight);
      const along = sight.map((c) => c / far);
      const level = [along[2], 0, -along[0]].map((c) => c / Math.hypot(along[0], along[2]));
      const upright = [0, 1, 2].map(
        (k) => level[(k + 1) % 3] * along[(k + 2) % 3] - level[(k + 2) % 3] * along[(k + 1) % 3],
      );
      const rim = Array.from({ length: 200 }, (_, n) => {
        const [c, s] = [Math.cos((2 * Math.PI * n) / 200), Math.sin((2 * Math.PI * n) / 200)];
        const wide = radius * Math.sqrt(1 - (radius / far) ** 2);
        return camera.project(
          place.map((q, k) => q - (along[k] * radius ** 2) / far + wide * (c * level[k] + s * upright[k])),
        );
      });
      const twice = rim.map(([x, y], n) => {
        const [u, v] = rim[(n + 1) % 200];
        return [x * v - u * y, (x + u) * (x * v - u * y), (y + v) * (x * v - u * y)];
      });
      const [area, x, y] = [0, 1, 2].map((k) => twice.reduce((sum, each) => sum + each[k], 0));
      return { frame, time: frame / 30, x: x / (3 * area), y: y / (3 * area), area: Math.abs(area) / 2 };
    };
    const flown = (gravity: number, drag: number): Track => {
      let [p, v]: [number[], number[]] = [
        [-1.2, 0.6, 0.2],
        [2.6, 3, 0.3],
      ];
      const places = Array.from({ length: 20 }, () => {
        const here = p;
        for (let step = 0; step < 1000; step++) {
          const [h, speed] = [1 / 30_000, Math.hypot(...v)];
          p = p.map((c, k) => c + h * v[k]);
          v = v.map((c, k) => c + h * ((k === 1 ? -gravity : 0) - drag * speed * c));
        }
        return here;
      });
      return { name: 'made', points: places.map(pointOf) };
    };
    for (const truth of [5, 9.81, 16]) {
      const { gravity, drag, position, residual } = startOfFlight(flown(truth, 0), camera, {
        radius,
        gravity: null,
        drag: null,
      });
      expect(Math.abs(gravity / truth - 1)).toBeLessThan(0.01);
      expect(drag).toBe(0);
      expect(residual).toBeLessThan(0.02);
      [-1.2, 0.6, 0.2].forEach((c, k) => expect(Math.abs(position[k] - c)).toBeLessThan(0.02));
    }
    const light = startOfFlight(flown(9.81, 0.16), camera, { radius, drag: null });
    expect(light.drag).toBeGreaterThan(0.08);
    expect(light.drag).toBeLessThan(0.32);
    // Without areas the size of gravity is the usual one.
    const points = flown(5, 0).points.map(({ area: _, ...point }) => point);
    expect(startOfFlight({ name: 'made', points }, camera, { radius, gravity: null }).gravity).toBe(9.81);
  });

  it('refuses a track of 3 points, unknown options, and gravity with 2 components', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0, 1, 5] }, SIZE);
    const still = trackOf(
      Array.from({ length: 3 }, () => [1, 2] as const),
      30,
    );
    expect(() => startOfFlight(still, camera)).toThrowCode({
      code: 'film/track-too-short',
      values: [3, 4, 'a flight'],
    });
    expect(() => startOfFlight(still, camera, { radious: 1 } as object)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"radius"'],
    });
    expect(() => startOfFlight(still, camera, { gravity: [0, -9.81] })).toThrowCode({
      code: 'film/option-out-of-range',
      field: 'gravity',
      values: ['0, -9.81'],
    });
  });
});

describe('bounceIn', () => {
  it('takes the contact that turns a fall into a rise, not an earlier one that only hastens the fall', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0, 1, 4], target: [0, 0.6, 0], fieldOfView: 0.8 }, SIZE);
    const [pushed, landed] = [0.3, 0.6];
    const fallen = (from: number[], speed: number, t: number) => [from[0] + t, from[1] + speed * t - 4.905 * t * t, 0];
    const [high, low] = [[-0.6, 1.6, 0], fallen([-0.6, 1.6, 0], 0.2, pushed)];
    const floor = fallen(low, -1.2, landed - pushed);
    const back = 0.7 * (1.2 + 9.81 * (landed - pushed));
    const track = trackOf(
      Array.from({ length: 31 }, (_, k) => {
        const t = k / 30;
        const place =
          t < pushed
            ? fallen(high, 0.2, t)
            : t < landed
              ? fallen(low, -1.2, t - pushed)
              : fallen(floor, back, t - landed);
        return camera.project(place);
      }),
      30,
    );
    const { time, restitution, flight } = bounceIn([track], null, camera, { radius: 0.05 });
    expect(flight.contacts).toHaveLength(2);
    expect(Math.abs(time - landed)).toBeLessThan(5e-3);
    expect(restitution).toBeCloseTo(0.7, 1);
    expect(() =>
      bounceIn([{ ...track, points: track.points.slice(0, 17) }], null, camera, { radius: 0.05 }),
    ).toThrowCode('film/not-seen');
  });
});

describe('startOfSlide', () => {
  it('finds start and friction on a known incline from positions in pictures, and refuses a normal of length 0', async () => {
    const camera = await filmCamera(LookAtCamera, { eye: [0.5, 1, 3], fieldOfView: 0.7 }, SIZE);
    const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
    const [normal, down] = [
      [s, c, 0],
      [c, -s, 0],
    ];
    const acceleration = 9.81 * (s - 0.35 * c);
    const centre = (t: number) => {
      const way = 0.3 * t + (acceleration * t * t) / 2;
      return [-0.4, 0.3, 0.2].map((q, k) => q + way * down[k] + 0.05 * normal[k]);
    };
    const track = trackOf(
      Array.from({ length: 12 }, (_, k) => camera.project(centre(k / 20))),
      20,
    );
    const found = startOfSlide(track, camera, { plane: { point: [-0.4, 0.3, 0.2], normal }, height: 0.05 });
    expect(found.friction).toBeCloseTo(0.35, 6);
    expect(Math.hypot(...found.velocity)).toBeCloseTo(0.3, 6);
    centre(0).forEach((q, k) => expect(found.position[k]).toBeCloseTo(q, 6));
    expect(() => startOfSlide(track, camera, { plane: { point: [0, 0, 0], normal: [0, 0, 0] } })).toThrowCode(
      'film/option-out-of-range',
    );
  });
});

// Their colour lies between columns, as ffmpeg writes it.
describe.skipIf(missing)('on films of known truth by another renderer', () => {
  const film = (name: string) => readFilm(`${films}${name}`, { chroma: 'centre' });
  const degrees = Math.PI / 180;

  it('bouncing ball of known radius: restitution to 0.003, contacts to 0.02 frames, depth to 2 cm; unknown radius: to 1 mm', async () => {
    const { tracks, size } = await film('bounce.mp4');
    const camera = await filmCamera(
      LookAtCamera,
      { eye: [0.2, 0.9, 3.2], target: [0.1, 0.55, 0], fieldOfView: 40 * degrees },
      size,
    );
    const { position, velocity, contacts, residual } = startOfFlight(tracks[0], camera, { radius: 0.1 });
    const { position: free, radius } = startOfFlight(tracks[0], camera);
    console.info(
      `bounce: position ${position.map((q) => q.toFixed(4))} (-0.777, 1.0550, 0.0976), velocity ${velocity.map((q) => q.toFixed(3))} (1.15, 0.154, -0.12), restitution ${contacts.map((q) => q.restitution.toFixed(4))} (0.72), ${residual.toFixed(2)} px; without its radius: ${radius!.toFixed(4)} (0.1), z ${free[2].toFixed(4)}`,
    );
    [-0.777, 1.05504].forEach((q, k) => expect(Math.abs(position[k] - q)).toBeLessThan(0.006));
    expect(Math.abs(position[2] - 0.0976)).toBeLessThan(0.02);
    [1.15, 0.1538, -0.12].forEach((q, k) => expect(Math.abs(velocity[k] - q)).toBeLessThan(0.02));
    expect(contacts.length).toBe(2);
    for (const { restitution } of contacts) expect(Math.abs(restitution - 0.72)).toBeLessThan(0.003);
    expect(Math.abs(30 * contacts[0].time - 13.716)).toBeLessThan(0.02);
    expect(Math.abs(30 * contacts[1].time - 32.791)).toBeLessThan(0.02);
    expect(Math.abs(radius! - 0.1)).toBeLessThan(0.001);
    expect(residual).toBeLessThan(0.2);
  });

  it('box sliding on a known incline: friction to 0.004, position to 2 mm', async () => {
    const { tracks, size } = await film('slide.mp4');
    const camera = await filmCamera(
      LookAtCamera,
      { eye: [0.1, 0.75, 2.2], target: [0, 0.02, 0], fieldOfView: 38 * degrees },
      size,
    );
    const plane = { point: [0, 0, 0], normal: [Math.sin(25 * degrees), Math.cos(25 * degrees), 0] };
    const { position, velocity, friction, residual } = startOfSlide(tracks[0], camera, {
      plane,
      height: 0.04,
    });
    console.info(
      `slide: position ${position.map((q) => q.toFixed(4))} (-0.5450, 0.2983, 0.0500), speed ${Math.hypot(...velocity).toFixed(4)} (0.40), friction ${friction.toFixed(4)} (0.300), ${residual.toFixed(2)} px`,
    );
    [-0.545006, 0.298276, 0.05].forEach((q, k) => expect(Math.abs(position[k] - q)).toBeLessThan(0.002));
    expect(Math.abs(friction - 0.3)).toBeLessThan(0.004);
    expect(Math.abs(Math.hypot(...velocity) - 0.4)).toBeLessThan(0.01);
  });
});
