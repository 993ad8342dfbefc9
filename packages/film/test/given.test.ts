import { ballInertia } from '@gradsim/base';
import { buildModel, cpuDevice, createScene } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames, encodeFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import {
  givenAngle,
  givenBall,
  givenLength,
  measuredCamera,
  outlineFitStage,
  projectedOutline,
  readFilm,
} from '../src/index.ts';

const SIZE = { width: 64, height: 48 };
const [RADIUS, FRAMES] = [0.2, 4];
const film = await readFilm(await encodeFrames(createFrames({ ...SIZE, channels: 3, frameRate: 30 }, FRAMES), 'gif'), {
  mask: 'none',
});

/** Stage of a falling ball in front of a camera, whose speed follows from an unknown and two measured quantities. */
async function stageWith(tolerances: { readonly lengthTolerance: number; readonly angleTolerance: number }) {
  const measured = { fieldOfView: 60, eye: [0, 0, 3], target: [0, 0, 0], ...tolerances };
  const camera = await measuredCamera(film, measured);
  const scene = createScene([
    rigid(),
    projectedOutline({ ...SIZE, camera: PinholeCamera, centre: Body.position, radius: RADIUS }),
  ]);
  scene.add(Body, { mass: 1, inertia: ballInertia(RADIUS) });
  scene.add(PinholeCamera, camera.values);
  const ball = givenBall(RADIUS, measured, { inertia: Body.inertia });
  const seen = Array.from({ length: FRAMES }, (_, k) => ({ x: 32 + 3 * k, y: 24, size: 3 }));
  return outlineFitStage(film, buildModel(scene), {
    name: 'ball',
    substeps: 2,
    outlines: seen,
    parameters: [{ name: 'turns', initial: 5 }],
    given: [...ball.given, ...camera.given, givenLength('way', 0.4, measured), givenAngle('slope', 0, measured)],
    ties: [
      ...ball.ties,
      ...camera.ties,
      {
        field: Body.velocity,
        compute: ({ turns, way, slope }) => {
          const [speed, angle] = [turns * way, (slope * Math.PI) / 180];
          return [speed * Math.cos(angle), speed * Math.sin(angle), 0];
        },
      },
    ],
  });
}

describe('a measured quantity with a tolerance of 0', () => {
  it('is not fitted if it is a length: ties compute fields from its exact value', async () => {
    const { problem } = await stageWith({ lengthTolerance: 0, angleTolerance: 2 });
    expect(problem.given!.map(({ name }) => name)).toEqual(['field of view', 'roll of the camera', 'slope']);
    const ofVelocity = problem.ties!.find(({ field }) => field === Body.velocity)!.compute;
    expect(ofVelocity({ turns: 5, slope: 90 })).toEqual([expect.closeTo(0, 12), expect.closeTo(2, 12), 0]);
  });

  it('is not fitted if it is an angle; if all are exact, only ties that depend on unknowns remain', async () => {
    const { problem } = await stageWith({ lengthTolerance: 0, angleTolerance: 0 });
    expect(problem.given).toEqual([]);
    expect(problem.ties!.map(({ field }) => field)).toEqual([Body.velocity]);
  });

  it.each([
    { lengthTolerance: 0, angleTolerance: 2 },
    { lengthTolerance: 0.01, angleTolerance: 0 },
    { lengthTolerance: 0, angleTolerance: 0 },
  ])('leaves a problem that estimate() solves, with tolerances %o', async (tolerances) => {
    const { problem } = await stageWith(tolerances);
    const device = cpuDevice({ threads: 1 });
    const { given } = await estimate(problem, { device });
    device.dispose();
    expect(Object.keys(given)).toEqual(problem.given!.map(({ name }) => name));
  });
});
