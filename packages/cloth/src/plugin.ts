import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, GradsimError, refuseUnknownOptions, refuseWrongType, Surfaces } from '@gradsim/core';
import { MassShares, Particle } from '@gradsim/particles';
import { airForce, wind as windRef } from './air.ts';
import { bendForce } from './bending.ts';
import { Hinge, Triangle } from './components.ts';
import { membraneForce, restOfTriangle } from './membrane.ts';
import { checkHinges, longestRestEdges } from './shape.ts';
import { stiffnessOfHinge, stiffnessOfTriangle } from './stability.ts';
import { gridSpacing, lengthGrid } from './strain.ts';

/** Options of {@link cloth}. */
export interface ClothPluginOptions {
  /** Velocity of the air, m/s; the field `world.wind`, so it can be a parameter. Default still air. */
  readonly wind?: readonly [number, number, number];
}

/**
 * Cloth: membrane, bending, damping, and air with lift, drag and wind; its triangles are offered to renderers.
 *
 * ```ts
 * const scene = createScene([particles(), cloth({ wind: [2, 0, 0] })]);
 * addCloth(scene, plane({ size: [1, 1], segments: [10, 10] }), {
 *   mu: 300, lambda: 400, density: 0.2, drag: 0.5, fixed: [0, 10],
 * });
 * ```
 */
export function cloth(options: ClothPluginOptions = {}): Plugin {
  refuseUnknownOptions<ClothPluginOptions>('cloth', options, { wind: true });
  const { wind = [0, 0, 0] } = options;
  refuseWrongType('cloth: wind', wind, 'a list of three numbers, m/s', Array.isArray(wind) || ArrayBuffer.isView(wind));
  if (wind.length !== 3)
    throw new GradsimError('cloth/wrong-size', `cloth: wind takes three numbers, m/s, got ${wind.length}.`, {
      field: 'wind',
    });
  return definePlugin({
    name: '@gradsim/cloth',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [Triangle, Hinge],
    offers: [Surfaces, MassShares],
    build: (context) => build(context, wind),
  });
}

function build(context: BuildContext, wind: readonly number[]): void {
  const { scene, model, entities } = context;
  model.addField(lengthGrid, { shared: true, values: longestRestEdges(context).flatMap(gridSpacing) });
  checkHinges(context);
  model.addField(windRef, { values: wind });
  const triangles = model.field(Triangle.vertices).values!;
  model.offer(MassShares, { particles: triangles, particleCount: 3, density: model.field(Triangle.density).values! });
  const order = entities(Triangle);
  if (order.length > 0) {
    model.offer(Surfaces, {
      position: Particle.position,
      triangles,
      describe: (t) => scene.describe(order[t]),
      name: 'cloth',
    });
  }
  model.addPass('setup', restOfTriangle);
  model.addPass('setup', stiffnessOfTriangle);
  model.addPass('setup', stiffnessOfHinge);
  model.addPass('force', membraneForce);
  model.addPass('force', airForce);
  model.addPass('force', bendForce);
}
