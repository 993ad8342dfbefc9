import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, Surfaces } from '@gradsim/core';
import { surfaceTriangles } from '@gradsim/mesh';
import { MassShares, Particle } from '@gradsim/particles';
import { restOfTet, tetForce } from './force.ts';
import { checkRestShapes } from './shape.ts';
import { stiffnessOfTet } from './stability.ts';
import { Tet } from './tet.ts';

/**
 * Soft bodies of stable neo-Hookean tetrahedra, with damping and actuation, and their outer surface for renderers.
 *
 * ```ts
 * const scene = createScene([particles(), fem()]);
 * addSoftBody(scene, tetBox({ cells: [2, 2, 2], size: [0.1, 0.1, 0.1] }), {
 *   mu: 1e4, lambda: 2e4, density: 1000,
 * });
 * ```
 */
export function fem(): Plugin {
  return definePlugin({
    name: '@gradsim/fem',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [Tet],
    offers: [Surfaces, MassShares],
    build,
  });
}

function build(context: BuildContext): void {
  const { scene, model, entities } = context;
  checkRestShapes(context);
  const tets = model.field(Tet.vertices).values!;
  model.offer(MassShares, { particles: tets, of: 4, density: model.field(Tet.density).values! });
  if (tets.length > 0) {
    model.offer(Surfaces, {
      position: Particle.position,
      triangles: surfaceTriangles(tets),
      name: 'soft bodies',
      describe: () => `a face of the soft bodies, from ${scene.describe(entities(Tet)[0])} on`,
    });
  }
  model.addPass('setup', restOfTet);
  model.addPass('setup', stiffnessOfTet);
  model.addPass('force', tetForce);
}
