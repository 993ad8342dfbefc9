import type { BuildContext, F32, Index, Model, Vec3 } from '@gradsim/core';
import { cross, dot, fieldOn, GradsimError, kernel, normalize, rotate } from '@gradsim/core';
import type { BodiesThatTouch, ForceInterval, MotionToState, PointsThatTouch } from '@gradsim/dynamics';
import { intervalOf, memoise, motionToState } from '@gradsim/dynamics';
import { contactOf, HalfSpace, HalfSpaceMaterial } from './components.ts';
import type { AddersOf, ReadersOf } from './fields.ts';
import { readsOnElements } from './fields.ts';
import { pairMaterial, pairMaterialIn } from './half-space-material.ts';
import { contactForce } from './law.ts';
import type { Material } from './material.ts';
import { addPairs, pairsOf } from './pairs.ts';
import { ContactSphere } from './shapes/sphere.ts';
import { addBodyRates, addStiffness } from './stability.ts';
import type { ContactPoints } from './touching.ts';
import { bodyLoads, bodyReads, hasContactByElement, ownerOf, pointReads } from './touching.ts';

/** Kernel that normalises the normals of half-spaces, once per run. */
export const unitNormal = kernel(
  'unitNormal',
  { domain: HalfSpace, reads: { normal: HalfSpace.normal }, writes: { unitNormal: HalfSpace.unitNormal } },
  ({ normal }) => ({ unitNormal: normalize(normal) }),
);

/** Models to which `prepareHalfSpaces` has already added its fields and passes. */
const prepared = new WeakSet<Model>();

/**
 * Adds unit normals of half-spaces, and flags of those with a material; only once per model, even if several plugins
 * call it.
 */
export function prepareHalfSpaces({ scene, model, entities }: BuildContext): void {
  if (prepared.has(model)) return;
  const halfSpaces = entities(HalfSpace);
  const hasMaterial = halfSpaces.map((entity) => (scene.has(entity, HalfSpaceMaterial.name) ? 1 : 0));
  model.as({ name: '@gradsim/contact' }, () => {
    model.addField(HalfSpace.hasMaterial, { values: hasMaterial });
    model.addPass('setup', unitNormal);
  });
  prepared.add(model);
}

/** Fields that a kernel reads of a half-space in contact. */
const HALF_SPACE = readsOnElements({ unitNormal: HalfSpace.unitNormal, offset: HalfSpace.offset });
type OnHalfSpace = { readonly halfSpace: Index } & ReadersOf<typeof HALF_SPACE> & Material;

const distanceTo = (c: OnHalfSpace, place: Vec3): F32 =>
  dot(c.unitNormal.at(c.halfSpace), place).sub(c.offset.at(c.halfSpace));

/** Force of a half-space on a point, N, with the material of the pair. */
const pressure = (c: OnHalfSpace, depth: F32, velocity: () => Vec3, lead: MotionToState): Vec3 =>
  contactForce(depth, c.unitNormal.at(c.halfSpace), velocity, c, lead);

const withPoints = memoise(({ component }: PointsThatTouch) => pairsOf({ thing: component, halfSpace: HalfSpace }));

/** Kernel over pairs of a point and a half-space that adds the contact force on the point. */
export const touchWithPoint = memoise((points: PointsThatTouch, interval: ForceInterval) => {
  const pairs = withPoints(points);
  const { domain, indices } = pairs;
  return kernel(
    `touch_${domain}`,
    {
      domain,
      reads: { ...indices, ...pointReads(points), ...HALF_SPACE, ...pairMaterialIn(pairs) },
      adds: { force: fieldOn(points.force) },
    },
    (c, moment) => {
      const { thing: point } = c;
      const depth = c.thickness.at(point).sub(distanceTo(c, c.position.at(point)));
      c.force.add(
        point,
        pressure(c, depth, () => c.velocity.at(point), motionToState(moment, interval)),
      );
    },
  );
});

const materialOfPoint = memoise((points: PointsThatTouch) =>
  pairMaterial(withPoints(points), contactOf(points.component), points.mass),
);

/** Adds contact of every point with every half-space. */
export function addPoints({ model, entities }: BuildContext, { points, numbers }: ContactPoints): void {
  const halfSpaces = [...entities(HalfSpace).keys()];
  const rows = numbers.flatMap((thing) => halfSpaces.map((halfSpace) => ({ thing, halfSpace })));
  addPairs(model, withPoints(points), rows, {
    setup: () => materialOfPoint(points),
    force: () => touchWithPoint(points, intervalOf(model, points)),
  });
  if (halfSpaces.length > 0) addStiffness(model, points, HalfSpaceMaterial, halfSpaces.length);
}

type BodyOnHalfSpace = OnHalfSpace & { readonly body: Index } & ReadersOf<ReturnType<typeof bodyReads>> &
  AddersOf<ReturnType<typeof bodyLoads>>;

/**
 * Adds the contact force of a half-space on a point of a body, at `arm` (m, world axes) from the centre of mass, with
 * the given contact thickness.
 */
function addBodyForce(c: BodyOnHalfSpace, arm: Vec3, thickness: F32 | null, lead: MotionToState): void {
  const { body } = c;
  const distance = distanceTo(c, c.bodyPosition.at(body).add(arm));
  const depth = thickness ? thickness.sub(distance) : distance.neg();
  const velocity = () => c.bodyVelocity.at(body).add(cross(c.angularVelocity.at(body), arm));
  const f = pressure(c, depth, velocity, lead);
  c.bodyForce.add(body, f);
  c.torque.add(body, cross(arm, f));
}

const withVertices = memoise(({ component, vertices }: BodiesThatTouch) =>
  pairsOf({ thing: component, vertex: vertices!.local, halfSpace: HalfSpace }),
);

/** Kernel over pairs of a body's vertex and a half-space that adds the contact force on the body. */
export const touchWithVertex = memoise((bodies: BodiesThatTouch, interval: ForceInterval) => {
  const pairs = withVertices(bodies);
  const { domain, indices } = pairs;
  const { thickness } = contactOf(bodies.component);
  const own = { ...readsOnElements({ local: bodies.vertices!.local, thickness }), ...pairMaterialIn(pairs) };
  return kernel(
    `touch_${domain}`,
    { domain, reads: { ...indices, ...own, ...bodyReads(bodies), ...HALF_SPACE }, adds: bodyLoads(bodies) },
    (c, moment) => {
      const { thing: body, vertex } = c;
      const arm = rotate(c.bodyOrientation.at(body), c.local.at(vertex));
      addBodyForce({ ...c, body }, arm, c.thickness.at(body), motionToState(moment, interval));
    },
  );
});

/** Kernel that computes the material of each pair of a vertex and a half-space. */
export const materialOfVertex = memoise((bodies: BodiesThatTouch) =>
  pairMaterial(withVertices(bodies), contactOf(bodies.component), bodies.mass),
);

/**
 * Adds contact of the vertices of bodies with every half-space.
 * @throws when a body with contact has no vertices.
 */
export function addVertices(context: BuildContext, bodies: BodiesThatTouch): void {
  const { scene, model, entities } = context;
  const { component, vertices } = bodies;
  const touching = hasContactByElement(context, component);
  if (!touching.includes(true)) return;
  const owners = vertices ? Array.from(model.field(vertices.body).values!) : [];
  const has = new Set(owners);
  const bare = touching.findIndex((touches, body) => touches && !has.has(body));
  if (bare >= 0)
    throw new GradsimError(
      'contact/no-vertices',
      `has ${contactOf(component).name}, but ${vertices ? 'no mesh, and so no vertices to touch with; give it a mesh, or' : `${component.name} come without vertices to touch with; give it`} a ContactSphere instead.`,
      { element: scene.describe(entities(component)[bare]) },
    );
  if (!vertices) return;
  const halfSpaces = [...entities(HalfSpace).keys()];
  const rows = owners.flatMap((body, vertex) =>
    touching[body] ? halfSpaces.map((halfSpace) => ({ thing: body, vertex, halfSpace })) : [],
  );
  addPairs(model, withVertices(bodies), rows, {
    setup: () => materialOfVertex(bodies),
    force: () => touchWithVertex(bodies, intervalOf(model)),
  });
  addBodyRates(context, bodies, halfSpaces.length);
}

const withSpheres = memoise(({ component }: BodiesThatTouch) =>
  pairsOf({ thing: ContactSphere, body: component, halfSpace: HalfSpace }),
);

/**
 * Kernel over pairs of a body's sphere and a half-space that adds the contact force, at the sphere's point nearest to
 * the half-space.
 */
export const touchWithSphere = memoise((bodies: BodiesThatTouch, interval: ForceInterval) => {
  const pairs = withSpheres(bodies);
  const { domain, indices } = pairs;
  const { position, radius } = ContactSphere;
  const own = { ...readsOnElements({ shapePosition: position, radius }), ...pairMaterialIn(pairs) };
  return kernel(
    `touch_${domain}`,
    { domain, reads: { ...indices, ...own, ...bodyReads(bodies), ...HALF_SPACE }, adds: bodyLoads(bodies) },
    (c, moment) => {
      const { thing: sphere, body, halfSpace } = c;
      const down = c.unitNormal.at(halfSpace).mul(c.radius.at(sphere));
      const arm = rotate(c.bodyOrientation.at(body), c.shapePosition.at(sphere)).sub(down);
      addBodyForce(c, arm, null, motionToState(moment, interval));
    },
  );
});

const materialOfSphere = memoise((bodies: BodiesThatTouch) =>
  pairMaterial(withSpheres(bodies), ContactSphere, bodies.mass),
);

/** Adds contact of every sphere of a body with every half-space. */
export function addSpheres(context: BuildContext, bodies: BodiesThatTouch): void {
  const { model, entities } = context;
  const halfSpaces = [...entities(HalfSpace).keys()];
  const rows = entities(ContactSphere).flatMap((entity, sphere) => {
    const owner = ownerOf(context, entity, ContactSphere);
    if (owner?.bodies !== bodies) return [];
    return halfSpaces.map((halfSpace) => ({ thing: sphere, body: owner.number, halfSpace }));
  });
  addPairs(model, withSpheres(bodies), rows, {
    setup: () => materialOfSphere(bodies),
    force: () => touchWithSphere(bodies, intervalOf(model)),
  });
}
