import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, torus } from '@gradsim/mesh';
import type { RigidOptions } from '@gradsim/rigid';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { centreVertices, massOfShape, momentsOfTriangle } from '../src/shape.ts';

const SEED = seedOfRun('mass from shape');

const ring = torus({ radius: 0.3, tube: 0.1, segments: 8, sides: 5 });
const brick = box({ size: [0.2, 0.3, 0.4] });
const run = { frames: 3, frameRate: 10, substeps: 8 };

function scene(options: RigidOptions, [first, second]: readonly TriangleMesh[] = [brick, ring]) {
  const made = createScene([rigid(options)]);
  const pushed = made.add(Body, { mesh: first, mass: 2, angularVelocity: [3, 1, -2], position: [1, 0, 0] });
  const wheel = made.add(Body, {
    mesh: second,
    density: 300,
    angularVelocity: [1, 5, 2],
    velocity: [0, 2, 0],
  });
  for (const body of [pushed, wheel])
    made.add(BodyPush, { body, force: [0, 9, 3], point: [0.1, 0, 0.1], start: 0, end: 1 });
  made.add(Body, { mass: 2, inertia: [1, 0, 0, 0, 2, 0, 0, 0, 1.5], angularVelocity: [0, 1, 1] });
  made.add(Body, { mesh: brick, filling: 'points', mass: 1, angularVelocity: [0, 2, 1] });
  return made;
}

/** Returns a mesh stretched, sheared and shifted, so that its centre of mass moves. */
const moved = (mesh: TriangleMesh): TriangleMesh => ({
  ...mesh,
  positions: mesh.positions.map((x, k, all) => {
    return [1.3 * x + 0.1 * all[k + 1] + 0.05, 0.8 * x - 0.02, x + 0.2 * all[k - 2]][k % 3];
  }),
});

/** Returns the final states of all bodies, with the vertices of the first two bodies set if given. */
async function after(made: Scene, shape?: readonly TriangleMesh[]): Promise<Float64Array[]> {
  const model = buildModel(made);
  const states = ['bodies.position', 'bodies.orientation', 'bodies.angularVelocity'];
  const simulation = await createSimulation(model, {
    device: f64Device(),
    ...run,
    outputs: states,
    record: ['bodyVertices.position'],
  });
  if (shape) {
    const local = Float64Array.from(model.field('bodyVertices.local').values!);
    local.set(shape.flatMap(({ positions }) => Array.from(positions)));
    simulation.set('bodyVertices.local', local);
  }
  simulation.forward();
  const all = await Promise.all(states.map((key) => simulation.read(key)));
  all.push(await simulation.readFrames('bodyVertices.position'));
  simulation.dispose();
  return all.map((values) => Float64Array.from(values));
}

function expectSame(a: readonly Float64Array[], b: readonly Float64Array[]): void {
  a.forEach((values, k) => {
    values.forEach((v, i) => expect(v).toBeCloseTo(b[k][i], 6));
  });
}

describe('mass from shape (option massFromShape)', () => {
  it('changes nothing while the shape is the initial one', async () =>
    expectSame(await after(scene({ massFromShape: true })), await after(scene({}))));

  it('moves bodies whose vertices are set like ones created with the new mesh', async () => {
    const shapes = [moved(brick), moved(ring)];
    const ofMeshes = await after(scene({}, shapes));
    expectSame(await after(scene({ massFromShape: true }), shapes), ofMeshes);
    // The bodies do not move as they did with the old mesh.
    const [, , spin] = await after(scene({}), shapes);
    expect(Math.abs(spin[0] - ofMeshes[2][0])).toBeGreaterThan(0.01);
  });

  it('has kernels whose derivatives pass the gradient checks', async () => {
    // With few vertices all three corners may coincide, and only rounding is left.
    await checkKernel(momentsOfTriangle(), { seed: SEED, sizes: { bodyTriangles: 11, bodyVertices: 17 } });
    await checkKernel(massOfShape(), { seed: SEED, ranges: { shapeVolume: [0.5, 1] } });
    await checkKernel(centreVertices(), { seed: SEED });
  });

  it.each([true, false])(
    'has a gradient that agrees with tangents and differences, massFromShape %s',
    async (massFromShape) => {
      const { parameters } = await checkGradients(buildModel(scene({ massFromShape })), {
        ...run,
        outputs: ['bodies.angularVelocity', 'bodyVertices.position'],
        parameters: ['bodyVertices.local', 'bodies.mass', 'bodies.density'],
        seed: SEED,
      });
      for (const check of Object.values(parameters)) expect(check.differenceError).toBeLessThan(1e-6);
    },
  );

  it('refuses a value other than a boolean, and a misspelt option', () => {
    expect(() => rigid({ massFromShape: 'yes' } as never)).toThrowCode({
      code: 'rigid/option-out-of-range',
      field: 'massFromShape',
      values: ['"yes"'],
    });
    expect(() => rigid({ massFromShap: true } as never)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"massFromShape"'],
    });
  });
});
