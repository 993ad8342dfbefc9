import type { BuildContext, Component, Entity, Plugin } from '@gradsim/core';
import { definePlugin, GradsimError } from '@gradsim/core';
import { BodiesThatTouch } from '@gradsim/dynamics';
import { HalfSpace, HalfSpaceMaterial } from '../components.ts';
import { prepareHalfSpaces } from '../half-space.ts';
import { ContactSphere } from '../shapes/sphere.ts';
import { impactOf } from './components.ts';
import type { BodiesWithCorners } from './corners.ts';
import { cornersIn, holdFaceUntilPush, impactCorners } from './corners.ts';
import type { BodiesThatBounce } from './kernels.ts';
import { begunReads, keepVelocities } from './kernels.ts';
import { holdUntilPush, impact } from './spheres.ts';

/**
 * Instantaneous impacts: bodies bounce on half-spaces with a restitution and Coulomb friction, each at its own time
 * within a substep. For hard materials, for which compliant contact would have to resolve contact times far shorter
 * than a frame.
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
    const halfSpaces = entities(HalfSpace).length;
    const after = [bouncing.motion.movedBy];
    const radii = entities(aspect).map((entity) => context.scene.get(entity, aspect, 'radius')[0]);
    const begun = begunReads(bouncing);
    if (radii.some((radius) => radius > 0)) {
      if (begun) model.addPass('integrate', holdUntilPush(bouncing, begun, halfSpaces), { after });
      model.addPass('integrate', impact(bouncing, halfSpaces), { after });
    }
    if (!radii.includes(0)) continue;
    const cornered = withCorners(context, bouncing);
    if (begun) model.addPass('integrate', holdFaceUntilPush(cornered, begun, halfSpaces), { after });
    model.addPass('integrate', impactCorners(cornered, halfSpaces), { after });
  }
}

/**
 * Checks that every element with impacts belongs to a component that a plugin offers as bodies.
 * @throws when one does not.
 */
function refuseIdle({ scene, entities }: BuildContext, offered: readonly BodiesThatTouch[]): void {
  for (const aspect of scene.components) {
    const [entity] = aspect.aspectsFunction === impactOf ? entities(aspect) : [];
    if (entity === undefined || offered.some(({ component }) => component.domain === aspect.extendedComponent))
      continue;
    throw new GradsimError(
      'contact/nothing-offered',
      `has ${aspect.name}, but no plugin offers ${aspect.extendedComponent} as ${BodiesThatTouch.name}; ${offered.length > 0 ? `those offered are ${offered.map(({ component }) => component.name).join(', ')}` : 'register one that does, @gradsim/rigid say'}.`,
      { element: scene.describe(entity) },
    );
  }
}

/**
 * Checks bodies with impacts.
 * @throws when their plugin does not offer their motion, the scene has no half-space, or one also has a ContactSphere.
 */
function checked(context: BuildContext, bodies: BodiesThatTouch): BodiesThatBounce {
  const { scene, entities } = context;
  const { component, motion } = bodies;
  const aspect = impactOf(component);
  const [first] = entities(aspect);
  if (!motion)
    throw new GradsimError(
      'contact/motion-not-offered',
      `has ${aspect.name}, and its motion is not offered as BodiesThatTouch.motion: impacts need ${component.name} that their own plugin moves by leapfrog, as @gradsim/rigid does with its own integrator.`,
      { element: scene.describe(first) },
    );
  if (entities(HalfSpace).length === 0)
    throw new GradsimError('contact/nothing-to-meet', `has ${aspect.name}, and the scene has nothing to meet.`, {
      element: scene.describe(first),
      hint: 'Add a HalfSpace.',
    });
  for (const entity of entities(aspect)) {
    refuseContact(context, entity, component);
  }
  return { ...bodies, motion };
}

/**
 * Adds the range of vertices with which each body collides: those of bodies whose radius is 0.
 *
 * @throws when a body with radius 0 has no vertices.
 */
function withCorners({ scene, model, entities }: BuildContext, bodies: BodiesThatBounce): BodiesWithCorners {
  const { component, vertices } = bodies;
  const aspect = impactOf(component);
  const owners = vertices ? Array.from(model.field(vertices.body).values!) : [];
  const all = entities(component);
  const meets = all.map((entity) => scene.has(entity, aspect.name) && scene.get(entity, aspect, 'radius')[0] === 0);
  const bare = all.find((_, body) => meets[body] && !owners.includes(body));
  if (bare !== undefined || !vertices)
    throw new GradsimError(
      'contact/no-vertices',
      `${component.name}.radius is 0, and the body has no mesh whose vertices could meet half-spaces.`,
      {
        field: `${component.name}.radius`,
        element: scene.describe(bare ?? all[meets.indexOf(true)]),
        hint: 'Give it a radius, that of the sphere that does, or a mesh.',
      },
    );
  const cornered = { ...bodies, vertices };
  const { firstCorner, cornerCount } = cornersIn(cornered);
  model.addIndex(
    firstCorner,
    all.map((_, body) => Math.max(owners.indexOf(body), 0)),
  );
  model.addField(cornerCount, {
    values: all.map((_, body) => (meets[body] ? owners.filter((owner) => owner === body).length : 0)),
  });
  return cornered;
}

/**
 * Checks that a body with impacts has no ContactSphere, which would touch half-spaces too.
 * @throws when it has one.
 */
function refuseContact({ scene, entities }: BuildContext, body: Entity, component: Component): void {
  if (!scene.components.includes(ContactSphere)) return;
  if (entities(ContactSphere).some((sphere) => scene.object(sphere, ContactSphere, 'body') === body))
    throw new GradsimError(
      'contact/two-contacts',
      `has ${impactOf(component).name} and a ContactSphere: it would meet half-spaces twice.`,
      { element: scene.describe(body), hint: 'Leave one of them out.' },
    );
}
