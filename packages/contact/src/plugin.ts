import type { BuildContext, Plugin } from '@gradsim/core';
import { definePlugin, f32 } from '@gradsim/core';
import { touchHalfSpace, unitNormal } from './bodies.ts';
import { BodyContact, ContactSphere, HalfSpace, HalfSpaceMaterial } from './components.ts';
import { touchWithSphere } from './spheres.ts';

/**
 * Compliant contact with friction: vertices and spheres of bodies against half-spaces.
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
    requires: ['@gradsim/rigid'],
    components: [HalfSpace, HalfSpaceMaterial, BodyContact, ContactSphere],
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
  addBodyContacts(context, halfSpaces.length);
  addSphereContacts(context, halfSpaces.length);
}

/** Every vertex of a body with contact, paired with every half-space. */
function addBodyContacts({ model, scene, entities }: BuildContext, halfSpaces: number): void {
  const bodyOf = model.field('bodyVertices.body').values!;
  const touching = new Set(entities(BodyContact));
  const bodies = scene.plugins.flatMap((p) => p.components ?? []).find((c) => c.name === 'bodies')!;
  const order = entities(bodies);
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
