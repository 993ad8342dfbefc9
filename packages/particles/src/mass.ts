import type { BuildContext } from '@gradsim/core';
import { Particle } from './particle.ts';

/** @throws when a particle that can move has no mass: none of its own, and no element with a density around it. */
export function checkMasses({ scene, model, entities }: BuildContext): void {
  const shared = new Set<number>();
  for (const { phase, kernel } of model.kernels()) {
    const { domain, ports } = kernel.form;
    const isSharing = ports.some(
      (p) => p.access === 'add' && p.domain === 'particles' && p.name === 'totalMass',
    );
    if (phase !== 'setup' || domain === 'particles' || !isSharing) continue;
    const density = model.fields.get(`${domain}.density`)?.values;
    for (const { name } of ports.filter((p) => p.target === 'particles')) {
      const field = model.field(`${domain}.${name}`);
      for (let k = 0; k < (field.values?.length ?? 0); k++) {
        const hasMass = !density || density[Math.floor(k / field.components)] > 0;
        if (hasMass) shared.add(field.values![k]);
      }
    }
  }
  entities(Particle).forEach((entity, k) => {
    if (shared.has(k)) return;
    const value = (name: string): number => scene.get(entity, Particle, name)[0];
    if (value('mass') === 0 && value('fixed') === 0) {
      throw new Error(
        `${scene.describe(entity)}: particles.mass is 0 and no element with a density has this particle (number ${k}); give it a mass, fix it, or remove it.`,
      );
    }
  });
}
