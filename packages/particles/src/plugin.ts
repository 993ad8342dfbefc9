import type { BuildContext, Plugin } from '@gradsim/core';
import { bind, definePlugin, f32, vec3 } from '@gradsim/core';
import type { IntegratorOptions } from '@gradsim/physics';
import { addGravity, checkFixed, checkPush, Gravity } from '@gradsim/physics';
import { checkMasses } from './mass.ts';
import {
  loadParticle,
  moveParticle,
  ownMass,
  pushParticle,
  restOfParticle,
  startParticle,
} from './motion.ts';
import { Particle, ParticlePush, RestPosition } from './particle.ts';
import { leastRate } from './stability.ts';

/**
 * Point masses: gravity, loads, pushes, pinning, semi-implicit motion.
 *
 * What those work with, by name: `particles.restPosition` (setup), `particles.totalMass` (add shares in setup),
 * `particles.force` (add in phase force), `particles.stiffnessAround` and `particles.dampingAround` (add in setup, for
 * the largest stable substep: see `leastRate`).
 *
 * ```ts
 * const scene = createScene([particles()]);
 * scene.add(Particle, { position: [0, 1, 0], mass: 0.1 });
 * ```
 */
export function particles({ integrator = 'semiImplicit' }: IntegratorOptions = {}): Plugin {
  const components = [Particle, ParticlePush, RestPosition, Gravity];
  const isMoved = integrator === 'semiImplicit';
  return definePlugin({
    ...{ name: '@gradsim/particles', contract: 1, components },
    build: (context) => build(context, isMoved),
    // Masses are complete once every other plugin has added its shares.
    finish: checkMasses,
  });
}

function build(context: BuildContext, isMoved: boolean): void {
  const { scene, model, entities } = context;
  const all = entities(Particle);
  for (const entity of all) checkFixed(scene, entity, Particle);
  for (const entity of entities(ParticlePush)) checkPush(scene, entity, ParticlePush);
  addGravity(context);
  model.addField('particles', 'hasRest', f32, {
    values: all.map((entity) => (scene.has(entity, RestPosition.name) ? 1 : 0)),
  });
  model.addAccumulator('particles', 'force', vec3, { unit: 'N' });
  model.addAccumulator('particles', 'stiffnessAround', f32, { unit: 'N/m' });
  model.addAccumulator('particles', 'dampingAround', f32, { unit: 'N s/m' });
  model.addPass('setup', restOfParticle);
  model.addPass('setup', ownMass);
  model.addPass('setup', startParticle);
  model.addField('particles', 'leastRate', f32, { unit: '1/s' });
  model.addPass('setup', leastRate);
  model.addStepLimit('particles.leastRate');
  model.addPass('force', loadParticle);
  model.addPass('force', bind(pushParticle, { particleForce: 'force' }));
  if (!isMoved) return;
  for (const name of ['positionCarry', 'velocityCarry']) model.addField('particles', name, vec3, { fill: 0 });
  model.addPass('integrate', moveParticle);
}
