import type { BuildContext, Component, Entity, Plugin } from '@gradsim/core';
import { definePlugin } from '@gradsim/core';
import { BodiesThatTouch } from '@gradsim/physics';
import { HalfSpace, HalfSpaceMaterial } from '../components.ts';
import { prepareHalfSpaces } from '../half-space.ts';
import { ContactSphere } from '../shapes/sphere.ts';
import { impactOf } from './components.ts';
import type { BodiesThatBounce } from './kernels.ts';
import { impact, keepVelocities } from './kernels.ts';

/**
 * Impacts that take no time: balls that bounce on half-spaces with a restitution and Coulomb friction, each at its own time
 * within a substep. For what is hard, of which contact by forces would have to resolve a touch far shorter than a frame.
 *
 * ```ts
 * const scene = createScene([rigid(), impacts()]);
 * const ball = scene.add(Body, { mesh: icosphere({ radius: 0.02 }), mass: 0.003, position: [0, 1, 0] });
 * scene.attach(ball, impactOf(Body), { radius: 0.02, restitution: 0.85, mu: 0.2 });
 * scene.add(HalfSpace, {});
 * ```
 */
export function impacts(): Plugin {
  return definePlugin({
    name: '@gradsim/contact/impacts',
    contract: 1,
    components: [HalfSpace, HalfSpaceMaterial],
    aspects: [impactOf],
    takes: [BodiesThatTouch],
    build,
  });
}

function build(context: BuildContext): void {
  const { model, entities } = context;
  const offered = model.offered(BodiesThatTouch);
  refuseIdle(context, offered);
  for (const bodies of offered) {
    const aspect = impactOf(bodies.component);
    if (!context.scene.components.includes(aspect) || entities(aspect).length === 0) continue;
    const bouncing = checked(context, bodies);
    prepareHalfSpaces(context);
    model.addPass('control', keepVelocities(bouncing));
    const { movedBy } = bouncing.motion;
    model.addPass('integrate', impact(bouncing, entities(HalfSpace).length), { after: [movedBy] });
  }
}

/** @throws for impacts of what no plugin offers as bodies. */
function refuseIdle({ scene, entities }: BuildContext, offered: readonly BodiesThatTouch[]): void {
  for (const aspect of scene.components) {
    const [entity] = aspect.from === impactOf ? entities(aspect) : [];
    if (entity === undefined || offered.some(({ component }) => component.domain === aspect.of)) continue;
    throw new Error(
      `${scene.describe(entity)} has ${aspect.name}, but no plugin offers ${aspect.of} as ${BodiesThatTouch.name}; ${offered.length > 0 ? `those offered are ${offered.map(({ component }) => component.name).join(', ')}` : 'register one that does, @gradsim/rigid say'}.`,
    );
  }
}

/** @throws for bodies that cannot have impacts, have nothing to meet, or touch half-spaces by forces as well. */
function checked(context: BuildContext, bodies: BodiesThatTouch): BodiesThatBounce {
  const { scene, entities } = context;
  const { component, motion } = bodies;
  const aspect = impactOf(component);
  const [first] = entities(aspect);
  if (!motion)
    throw new Error(
      `${scene.describe(first)} has ${aspect.name}, and its motion is not offered as BodiesThatTouch.motion: impacts need ${component.name} that their own plugin moves by leapfrog, as @gradsim/rigid does with its own integrator.`,
    );
  if (entities(HalfSpace).length === 0)
    throw new Error(
      `${scene.describe(first)} has ${aspect.name}, and the scene has nothing to meet; add a HalfSpace.`,
    );
  for (const entity of entities(aspect)) {
    if (scene.get(entity, aspect, 'radius')[0] === 0)
      throw new Error(
        `${scene.describe(entity)}: ${component.name}.radius is 0; it must be above 0, that of the sphere that meets half-spaces.`,
      );
    refuseContact(context, entity, component);
  }
  return { ...bodies, motion };
}

/** @throws for a body that would meet half-spaces twice. */
function refuseContact({ scene, entities }: BuildContext, body: Entity, component: Component): void {
  if (!scene.components.includes(ContactSphere)) return;
  if (entities(ContactSphere).some((sphere) => scene.object(sphere, ContactSphere, 'body') === body))
    throw new Error(
      `${scene.describe(body)} has ${impactOf(component).name} and a ContactSphere: it would meet half-spaces twice. Leave one of them out.`,
    );
}
