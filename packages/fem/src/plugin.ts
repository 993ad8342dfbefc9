import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, Surfaces } from '@gradsim/core';
import { Integrators } from '@gradsim/dynamics';
import { surfaceTriangles } from '@gradsim/mesh';
import { MassShares, Particle } from '@gradsim/particles';
import { restOfTet, tetForce } from './force.ts';
import { QuadraticTetArm, TetArm } from './maxwell-arm.ts';
import { quadraticTetArmForce, relaxQuadraticTetArm, stiffnessOfQuadraticTetArm } from './quadratic-arm-force.ts';
import { quadraticTetForce, restOfQuadraticTet } from './quadratic-force.ts';
import { quadraticSurface } from './quadratic-mesh.ts';
import { NODES } from './quadratic-shape.ts';
import { stiffnessOfQuadraticTet } from './quadratic-stability.ts';
import { QuadraticTet } from './quadratic-tet.ts';
import { checkRestShapes } from './shape.ts';
import { stiffnessOfTet } from './stability.ts';
import { Tet } from './tet.ts';
import { relaxTetArm, stiffnessOfTetArm, tetArmForce } from './tet-arm-force.ts';

/**
 * Soft bodies of stable neo-Hookean tetrahedra, linear or quadratic, with damping and actuation, and their outer surface for renderers.
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
    components: [Tet, QuadraticTet, TetArm, QuadraticTetArm],
    offers: [Surfaces, MassShares],
    takes: [Integrators],
    build,
  });
}

function build(context: BuildContext): void {
  const { scene, model, entities } = context;
  checkRestShapes(context);
  const tets = model.field(Tet.vertices).values!;
  const nodes = model.field(QuadraticTet.nodes).values!;
  model.offer(MassShares, { particles: tets, particleCount: 4, density: model.field(Tet.density).values! });
  const nodesOfAll = entities(Particle);
  const show = (triangles: Uint32Array, name: string): void =>
    model.offer(Surfaces, {
      position: Particle.position,
      triangles,
      name,
      describe: (t) => `a face at ${scene.describe(nodesOfAll[triangles[3 * t]])}`,
    });
  if (tets.length > 0) show(surfaceTriangles(tets), 'soft bodies');
  model.addPass('setup', restOfTet);
  model.addPass('setup', stiffnessOfTet);
  model.addPass('force', tetForce);
  // Of the shape that forces were evaluated in: the start of a substep, or the end of the one before it.
  const isAtEnd = model.offered(Integrators).some(({ component, isImplicit }) => component === Particle && isImplicit);
  const [led, relaxation] = isAtEnd ? (['dt', 'control'] as const) : (['previousDt', 'stage'] as const);
  if (model.domain(TetArm.domain).size > 0) {
    model.addField(TetArm.past, { fill: 0 });
    model.addPass('setup', stiffnessOfTetArm());
    model.addPass('force', tetArmForce(TetArm, led));
    model.addPass(relaxation, relaxTetArm());
  }
  if (nodes.length === 0) return;
  show(quadraticSurface(nodes), 'soft bodies of quadratic elements');
  const density = model.field(QuadraticTet.density).values!;
  model.offer(MassShares, { particles: nodes, particleCount: NODES, density });
  model.addPass('setup', restOfQuadraticTet());
  model.addPass('setup', stiffnessOfQuadraticTet());
  model.addPass('force', quadraticTetForce());
  if (model.domain(QuadraticTetArm.domain).size === 0) return;
  for (const past of ['past0', 'past1', 'past2', 'past3'] as const) model.addField(QuadraticTetArm[past], { fill: 0 });
  model.addPass('setup', stiffnessOfQuadraticTetArm());
  model.addPass('force', quadraticTetArmForce(QuadraticTetArm, led));
  model.addPass(relaxation, relaxQuadraticTetArm());
}
