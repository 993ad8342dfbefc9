import type { BuildContext } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { MassShares } from './mass-shares.ts';
import { Particle } from './particle.ts';

/** @throws when a particle that can move has no mass: none of its own, and no element with a density around it. */
export function checkMasses({ scene, model, entities }: BuildContext): void {
  const shared = new Set<number>();
  for (const { particles, particleCount, density } of model.offered(MassShares))
    for (let k = 0; k < particles.length; k++) if (density[Math.floor(k / particleCount)] > 0) shared.add(particles[k]);
  entities(Particle).forEach((entity, k) => {
    if (shared.has(k)) return;
    const value = (name: string): number => scene.get(entity, Particle, name)[0];
    if (value('mass') === 0 && value('fixed') === 0) {
      throw new GradsimError(
        'particles/no-mass',
        `particles.mass is 0 and no element with a density has this particle (number ${k}).`,
        { field: 'particles.mass', element: scene.describe(entity), hint: 'Give it a mass, fix it, or remove it.' },
      );
    }
  });
}
