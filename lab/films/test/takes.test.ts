import { describe, expect, it } from 'vitest';
import { draws } from '../../../scripts/vitest/draws.ts';
import { project } from '../src/camera.ts';
import { drawTake } from '../src/draw-take.ts';
import { recordOf } from '../src/record.ts';
import { shotOf } from '../src/shot-of.ts';
import { drawSpoiled } from '../src/spoil.ts';
import { KINDS } from '../src/take.ts';
import { rotate, subtract, turn, type Vector } from '../src/vectors.ts';

const NUMBERS = Array.from({ length: 12 }, (_, k) => k);
/** Seed of the drawn takes. */
const SEED = 1;
/** Number of takes of each kind. */
const EACH = draws(4, 12);
const all = KINDS.flatMap((kind) => NUMBERS.slice(0, EACH).map((number) => drawTake(kind, number, SEED)));

describe('the geometry of films', () => {
  it('the camera projects its target to the middle of the picture, and higher points above it', () => {
    const camera = {
      eye: [1, 2, 4] as const,
      target: [0.1, 0.3, -0.2] as const,
      fieldOfView: 0.8,
      width: 480,
      height: 360,
    };
    const [x, y, depth] = project(camera, camera.target);
    expect(x).toBeCloseTo(240, 9);
    expect(y).toBeCloseTo(180, 9);
    expect(depth).toBeCloseTo(Math.hypot(0.9, 1.7, 4.2), 9);
    expect(project(camera, [0.1, 0.4, -0.2])[1]).toBeLessThan(180);
    // tan of half the field of view at this distance is the upper edge.
    const level = { ...camera, eye: [0.1, 0.3, 1.8] as const };
    expect(project(level, [0.1, 0.3 + 2 * Math.tan(0.4), -0.2])[1]).toBeCloseTo(0, 9);
  });

  it('the quaternion of a quarter turn about z rotates x to y', () => {
    const [x, y, z] = rotate(turn([0, 0, 2], Math.PI / 2), [1, 0, 0]);
    expect([x, y, z].map((c) => Math.round(1e9 * c))).toEqual([0, 1e9, 0]);
  });
});

describe('drawn films', () => {
  it('are all different, and the same again for the same kind, number and seed', () => {
    const again = drawTake('slide', 3, SEED);
    const first = all.find(({ scene, number }) => scene.kind === 'slide' && number === 3)!;
    expect(JSON.stringify(recordOf(again, ''))).toBe(JSON.stringify(recordOf(first, '')));
    expect(new Set(all.map(({ scene }) => JSON.stringify(scene.truth))).size).toBe(EACH * KINDS.length);
    expect(drawTake('slide', 3, 2).scene.truth).not.toEqual(first.scene.truth);
  });

  it('show the moving object wholly in every frame, more than 15 px wide', () => {
    for (const { scene, camera, frames, frameRate } of all) {
      for (let k = 0; k < frames; k++) {
        const points = scene.outline(k / frameRate).map((point) => project(camera, point));
        const [xs, ys] = [0, 1].map((c) => points.map((point) => point[c]));
        expect(Math.min(...xs, ...ys)).toBeGreaterThan(0);
        expect(Math.max(...xs)).toBeLessThan(camera.width);
        expect(Math.max(...ys)).toBeLessThan(camera.height);
        expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(15);
      }
    }
  });

  it('show slides from above the incline, whose edge hides no foot of a box', () => {
    for (const number of NUMBERS) {
      const { scene, camera } = drawTake('slide', number, SEED);
      const tilt = ((scene.measured.angle as number) * Math.PI) / 180;
      const [x, y] = subtract(camera.eye, scene.measured.point as Vector);
      expect(x * Math.sin(tilt) + y * Math.cos(tilt)).toBeGreaterThan(0);
    }
  });

  it('have beams that bend by less than 6.5 % of their length, and no unknown among the measured values', () => {
    for (const { scene, frames, frameRate } of all) {
      for (const name of Object.keys(scene.truth)) expect(scene.measured[name] ?? null).toBeNull();
      if (scene.kind !== 'beam') continue;
      const [start, length] = [scene.outline(0), scene.measured.length as number];
      for (let k = 0; k < frames; k++) {
        const end = scene.outline(k / frameRate);
        const moved = Math.max(...end.map((point, i) => Math.abs(point[1] - start[i][1])));
        expect(moved).toBeLessThan(0.065 * length);
      }
    }
  });

  it('have exposures centred on the time of the frame, tested for one frame of a ball', () => {
    const take = drawTake('ball', 0, SEED);
    const [actor] = shotOf(take).actors;
    const [mover] = take.scene.movers;
    if (!('poses' in actor && 'poseAt' in mover)) throw new Error('A ball has poses.');
    const [x] = mover.poseAt(7 / 30).position;
    const mean = actor.poses[7].reduce((sum, { position }) => sum + position[0] / actor.poses[7].length, 0);
    expect(mean).toBeCloseTo(x, 10);
  });
});

describe('twelve spoiled films', () => {
  const takes = NUMBERS.map((number) => drawSpoiled(number, SEED));

  it('are spoiled in four ways, each with three kinds', () => {
    for (const how of ['wrong shape', 'wrong scale', 'another object', 'dropped frames']) {
      const kinds = takes.filter(({ spoiled }) => spoiled!.how === how).map(({ scene }) => scene.kind);
      expect(kinds).toHaveLength(3);
      expect(new Set(kinds).size).toBe(3);
    }
  });

  it('have fewer frames in film and record by those that are dropped', () => {
    for (const take of takes) {
      const shot = shotOf(take);
      expect(shot.frames).toBe(take.frames - take.lost.length);
      expect(recordOf(take, '').frames).toBe(shot.frames);
      expect(take.lost.length > 0).toBe(take.spoiled!.how === 'dropped frames');
    }
  });

  it('show a round object of a radius off by a factor above 1.2 if its scale is wrong, or a sphere if it is another object', () => {
    for (const { scene, spoiled } of takes) {
      const { solid } = scene.movers[0];
      const { radius } = scene.measured;
      const isBall = solid.shape === 'sphere' || solid.shape === 'prism';
      if (spoiled!.how === 'wrong scale' && isBall)
        expect(Math.abs(Math.log((radius as number) / solid.radius))).toBeGreaterThan(0.2);
      if (spoiled!.how === 'another object') expect(scene.movers.at(-1)!.solid.shape).toBe('sphere');
    }
  });
});
