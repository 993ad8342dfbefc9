import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, GradsimError, refuseUnknownOptions, Surfaces } from '@gradsim/core';
import type { SpringLook } from './draw.ts';
import { checkLook, drawSprings } from './draw.ts';
import { springForce } from './force.ts';
import { Spring } from './spring.ts';
import { stiffnessOfSpring } from './stability.ts';

/** Options of {@link springs}: how they are drawn. */
export interface SpringsOptions {
  /** Draws springs as bars of this appearance. By default they are invisible. */
  readonly look?: SpringLook;
}

/**
 * Damped springs between any particles.
 *
 * ```ts
 * const scene = createScene([particles(), springs()]);
 * const hook = scene.add(Particle, { position: [0, 1, 0], fixed: 1 });
 * const weight = scene.add(Particle, { position: [0, 0.5, 0], mass: 0.2 });
 * scene.add(Spring, { ends: [hook, weight], stiffness: 50, damping: 0.1, restLength: 0.5 });
 * ```
 * @throws for an unknown option, and an invalid radius or colour.
 */
export function springs(options: SpringsOptions = {}): Plugin {
  refuseUnknownOptions<SpringsOptions>('springs', options, { look: true });
  const { look } = options;
  if (look) checkLook(look);
  return definePlugin({
    name: '@gradsim/springs',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [Spring],
    ...(look ? { offers: [Surfaces] } : {}),
    build: (context) => {
      build(context);
      if (look) drawSprings(context, look);
    },
  });
}

/** @throws when both ends of a spring are one particle. */
function build({ scene, model, entities }: BuildContext): void {
  for (const entity of entities(Spring)) {
    const [i, j] = scene.get(entity, Spring, 'ends');
    if (i === j) {
      throw new GradsimError(
        'springs/equal-ends',
        `springs.ends are both ${scene.describe(i)}; a spring needs two particles.`,
        { field: 'springs.ends', element: scene.describe(entity) },
      );
    }
  }
  model.addPass('setup', stiffnessOfSpring);
  model.addPass('force', springForce);
}
