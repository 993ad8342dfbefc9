import { ContactCapsule, ContactMesh } from '@gradsim/contact';
import { buildModel, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { capsule, torus } from '@gradsim/mesh';
import { Body } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { emptyScene, MATERIAL } from './scenes.ts';

/**
 * Builds a scene of a capsule above the top of a ring (torus), across it. The ring's surface has 32 segments around,
 * each 0.078 m long along its top, and its top is 0.15 m above its centre.
 */
function acrossRing(position = [0, 0.19, 0], orientation = [0, 0, Math.SQRT1_2, Math.SQRT1_2], velocity = [0, 0, 0]) {
  const scene = emptyScene();
  scene.add(ContactMesh, { mesh: torus({ radius: 0.4, tube: 0.15 }), ...MATERIAL }, 'ring');
  const body = scene.add(Body, {
    mesh: capsule({ radius: 0.05, height: 1 }),
    mass: 1,
    position,
    orientation,
    velocity,
  });
  scene.add(ContactCapsule, { body, length: 1, radius: 0.05, ...MATERIAL });
  return scene;
}

describe('a capsule that lies across a mesh', () => {
  it('is pushed out by the mesh over its corners and between them, with forces within a factor 2.5', async () => {
    const dt = 1e-5;
    const simulation = await createSimulation(buildModel(acrossRing()), {
      device: f64Device(),
      frames: 2,
      frameRate: 1 / dt,
      substeps: 1,
      parameters: ['bodies.position'],
      outputs: ['bodies.velocity'],
    });
    const liftAt = async (z: number): Promise<number> => {
      simulation.set('bodies.position', [0, 0.19, z]);
      simulation.forward();
      return (await simulation.read('bodies.velocity'))[1] / dt;
    };
    // 10 mm deep, over the corners of the ring and between them: on both sides at least one point with stiffness ke
    // holds most of that depth.
    const lifts: number[] = [];
    for (let k = 0; k <= 8; k++) lifts.push(await liftAt(0.0785 * (k / 8)));
    simulation.dispose();
    expect(Math.min(...lifts)).toBeGreaterThan(2 * MATERIAL.ke * 0.01 * 0.75);
    expect(Math.max(...lifts)).toBeLessThan(2.5 * Math.min(...lifts));
  });

  it('has a gradient that agrees with central differences', () =>
    checkGradients(buildModel(acrossRing([0.013, 0.197, 0.021], [0.05, 0.08, 0.7, 0.7], [0.2, -0.6, 0.1])), {
      frames: 3,
      frameRate: 60,
      substeps: 16,
      seed: 3,
      parameters: ['bodies.position', 'bodies.orientation', 'bodies.mass', 'capsules.radius', 'meshes.ke'],
      outputs: ['bodies.position', 'bodies.velocity', 'bodies.angularVelocity'],
    }));
});
