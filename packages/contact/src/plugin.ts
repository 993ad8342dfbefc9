import type { BuildContext, Component, Plugin, Scene } from '@gradsim/core';
import { definePlugin, f32 } from '@gradsim/core';
import { touchHalfSpace, unitNormal } from './bodies.ts';
import { BodyContact, ContactSphere, HalfSpace, HalfSpaceMaterial, ParticleContact } from './components.ts';
import { touchParticleWithSphere, touchWithParticle } from './particles.ts';
import { touchWithSphere } from './spheres.ts';

/**
 * Compliant contact with friction: vertices and spheres of bodies against half-spaces, particles against half-spaces
 * and against spheres of bodies. Register it after `rigid`, `particles` or both.
 *
 * ```ts
 * const scene = createScene([rigid(), contact()]);
 * const body = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), density: 500, position: [0, 1, 0] });
 * scene.attach(body, BodyContact, { ke: 1e4, kd: 10, kf: 50, mu: 0.5 });
 * scene.add(HalfSpace, {});
 * ```
 */
export function contact(): Plugin {
  return definePlugin({
    name: '@gradsim/contact',
    contract: 1,
    components: [HalfSpace, HalfSpaceMaterial, BodyContact, ContactSphere, ParticleContact],
    build,
  });
}

function build(context: BuildContext): void {
  const { scene, model, entities } = context;
  const halfSpaces = entities(HalfSpace);
  halfSpaces.forEach((entity) => {
    const normal = scene.get(entity, HalfSpace, 'normal');
    if (normal.every((n) => n === 0))
      throw new Error(
        `${scene.describe(entity)}: halfSpaces.normal is (0, 0, 0); it must point away from the inside.`,
      );
  });
  const hasMaterial = halfSpaces.map((entity) => (scene.has(entity, HalfSpaceMaterial.name) ? 1 : 0));
  model.addField('halfSpaces', 'hasMaterial', f32, { values: hasMaterial });
  model.addPass('setup', unitNormal);
  const has = (plugin: string): boolean => scene.plugins.some(({ name }) => name === plugin);
  const [hasBodies, hasParticles] = [has('@gradsim/rigid'), has('@gradsim/particles')];
  if (!hasBodies && !hasParticles) {
    throw new Error(
      'The plugin @gradsim/contact has nothing to touch with: register @gradsim/rigid, @gradsim/particles or both before it.',
    );
  }
  if (hasBodies) {
    addBodyContacts(context, halfSpaces.length);
    addSphereContacts(context, halfSpaces.length);
  }
  if (hasParticles) addParticleContacts(context, halfSpaces.length);
  if (hasBodies && hasParticles) addParticleSphereContacts(context);
}

/** Every vertex of a body with contact, paired with every half-space. */
function addBodyContacts({ model, scene, entities }: BuildContext, halfSpaces: number): void {
  const bodyOf = model.field('bodyVertices.body').values!;
  const touching = new Set(entities(BodyContact));
  const order = entities(componentOf(scene, 'bodies'));
  const body: number[] = [];
  const vertex: number[] = [];
  const halfSpace: number[] = [];
  for (let v = 0; v < bodyOf.length; v++) {
    if (!touching.has(order[bodyOf[v]])) continue;
    for (let h = 0; h < halfSpaces; h++) {
      body.push(bodyOf[v]);
      vertex.push(v);
      halfSpace.push(h);
    }
  }
  model.addDomain('bodyContacts', body.length);
  model.addIndex('bodyContacts', 'body', 'bodies', 1, body);
  model.addIndex('bodyContacts', 'vertex', 'bodyVertices', 1, vertex);
  model.addIndex('bodyContacts', 'halfSpace', 'halfSpaces', 1, halfSpace);
  model.addPass('force', touchHalfSpace);
}

/** Every sphere paired with every half-space. */
function addSphereContacts({ model }: BuildContext, halfSpaces: number): void {
  const bodyOf = model.field('spheres.body').values!;
  const pairs = Array.from({ length: bodyOf.length * halfSpaces }, (_, k) => ({
    sphere: Math.floor(k / halfSpaces),
    halfSpace: k % halfSpaces,
  }));
  model.addDomain('sphereContacts', pairs.length);
  model.addIndex(
    'sphereContacts',
    'sphere',
    'spheres',
    1,
    pairs.map((p) => p.sphere),
  );
  model.addIndex(
    'sphereContacts',
    'body',
    'bodies',
    1,
    pairs.map((p) => bodyOf[p.sphere]),
  );
  model.addIndex(
    'sphereContacts',
    'halfSpace',
    'halfSpaces',
    1,
    pairs.map((p) => p.halfSpace),
  );
  model.addPass('force', touchWithSphere);
}

const componentOf = (scene: Scene, name: string): Component =>
  scene.components.find((component) => component.name === name)!;

/** Numbers of the particles that can touch. */
function touchingParticles({ scene, entities }: BuildContext): number[] {
  return entities(componentOf(scene, 'particles')).flatMap((entity, number) =>
    scene.has(entity, ParticleContact.name) ? [number] : [],
  );
}

/** Every particle with contact, paired with every half-space. */
function addParticleContacts(context: BuildContext, halfSpaces: number): void {
  const { model } = context;
  const pairs = touchingParticles(context).flatMap((particle) =>
    Array.from({ length: halfSpaces }, (_, halfSpace) => [particle, halfSpace]),
  );
  const column = (k: number): number[] => pairs.map((pair) => pair[k]);
  model.addDomain('particleContacts', pairs.length);
  model.addIndex('particleContacts', 'particle', 'particles', 1, column(0));
  model.addIndex('particleContacts', 'halfSpace', 'halfSpaces', 1, column(1));
  model.addPass('force', touchWithParticle);
}

/** Every particle with contact, paired with every sphere. */
function addParticleSphereContacts(context: BuildContext): void {
  const { model } = context;
  const bodyOf = model.field('spheres.body').values!;
  const pairs = touchingParticles(context).flatMap((particle) =>
    Array.from(bodyOf, (body, sphere) => [particle, sphere, body]),
  );
  const column = (k: number): number[] => pairs.map((pair) => pair[k]);
  model.addDomain('particleSphereContacts', pairs.length);
  model.addIndex('particleSphereContacts', 'particle', 'particles', 1, column(0));
  model.addIndex('particleSphereContacts', 'sphere', 'spheres', 1, column(1));
  model.addIndex('particleSphereContacts', 'body', 'bodies', 1, column(2));
  model.addPass('force', touchParticleWithSphere, {
    sphereKe: 'ke',
    sphereKd: 'kd',
    sphereKf: 'kf',
    sphereMu: 'mu',
    bodyPosition: 'position',
    bodyVelocity: 'velocity',
    bodyForce: 'force',
  });
}
