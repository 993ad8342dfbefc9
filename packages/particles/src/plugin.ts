import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin } from '@gradsim/core';
import type { IntegratorOptions } from '@gradsim/dynamics';
import { addGravity, checkPush, Gravity, Integrators, isOwnIntegrator, PointsThatTouch } from '@gradsim/dynamics';
import { dampingOfDrag, dragParticle, ParticleDrag } from './drag.ts';
import { checkMasses } from './mass.ts';
import {
  addConstantLoad,
  addOwnMass,
  addPush,
  hasRestPosition,
  moveParticle,
  restOfParticle,
  startParticle,
} from './motion.ts';
import { Particle, ParticlePush, RestPosition, restPositionOf } from './particle.ts';
import { leastRate } from './stability.ts';

/**
 * Point masses: gravity, drag, loads, pushes, pinning, semi-implicit motion.
 *
 * ```ts
 * const scene = createScene([particles()]);
 * scene.add(Particle, { position: [0, 1, 0], mass: 0.1 });
 * ```
 */
export function particles(options: IntegratorOptions = {}): Plugin {
  const components = [Particle, ParticlePush, RestPosition, ParticleDrag, Gravity];
  const isMoved = isOwnIntegrator('particles', options);
  return definePlugin({
    name: '@gradsim/particles',
    contract: 1,
    components,
    offers: [PointsThatTouch],
    takes: [Integrators],
    build: (context) => build(context, isMoved),
    // Masses are complete once every other plugin has added its shares.
    finish: checkMasses,
  });
}

const OFFERED_POINTS: PointsThatTouch = {
  component: Particle,
  position: Particle.position,
  velocity: Particle.velocity,
  force: Particle.force,
  mass: Particle.totalMass,
  around: { stiffness: Particle.stiffnessAround, damping: Particle.dampingAround },
  rest: { position: RestPosition.restPosition, positionOf: restPositionOf },
};
const OFFERED_POINTS_AT_END: PointsThatTouch = { ...OFFERED_POINTS, isAtEnd: true };

function build(context: BuildContext, isMoved: boolean): void {
  const { scene, model, entities } = context;
  const all = entities(Particle);
  for (const entity of entities(ParticlePush)) checkPush(scene, entity, ParticlePush);
  addGravity(context);
  const integrator = model.offered(Integrators).find(({ component }) => component === Particle);
  model.offer(PointsThatTouch, integrator?.isImplicit ? OFFERED_POINTS_AT_END : OFFERED_POINTS);
  model.addField(hasRestPosition, {
    values: all.map((entity) => (scene.has(entity, RestPosition.name) ? 1 : 0)),
  });
  model.addPass('setup', restOfParticle);
  model.addPass('setup', addOwnMass);
  model.addPass('setup', startParticle);
  model.addField(Particle.leastRate);
  model.addPass('setup', leastRate);
  if (!integrator?.isImplicit)
    model.addStepLimit(Particle.leastRate, [...[Particle.totalMass, Particle.stiffnessAround, Particle.dampingAround]]);
  if (entities(ParticleDrag).length > 0) {
    model.addPass('setup', dampingOfDrag);
    model.addPass('force', dragParticle);
  }
  model.addPass('force', addConstantLoad);
  model.addPass('force', addPush);
  // Forces read the compensation of positions, whichever plugin integrates.
  model.addField(Particle.positionCarry, { fill: 0, carryOf: Particle.position });
  model.addField(Particle.velocityCarry, { fill: 0, carryOf: Particle.velocity });
  model.addField(RestPosition.restCarry, { fill: 0, carryOf: RestPosition.restPosition });
  if (isMoved && !integrator) model.addPass('integrate', moveParticle);
}
