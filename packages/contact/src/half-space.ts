import type { BuildContext, F32, Index, Vec3 } from '@gradsim/core';
import { cross, dot, kernel, normalize, on, rotate, select } from '@gradsim/core';
import type { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';
import { once } from '@gradsim/physics';
import { contactOf, HalfSpace, HalfSpaceMaterial } from './components.ts';
import type { AddersOf, ReadersOf } from './fields.ts';
import { onEach } from './fields.ts';
import { contactForce } from './law.ts';
import type { Material } from './material.ts';
import { combine, materialIn, materialOf, surfaceIn, surfaceOf } from './material.ts';
import { addPairs, pairsOf } from './pairs.ts';
import { ContactSphere } from './shapes/sphere.ts';
import { addStiffness } from './stability.ts';
import type { Touching } from './touching.ts';
import { bodyIn, ownerOf, pointIn, reactionOn, withContact } from './touching.ts';

/** Normals of unit length, once a run. */
export const unitNormal = kernel(
  'unitNormal',
  { domain: HalfSpace, reads: { normal: HalfSpace.normal }, writes: { unitNormal: HalfSpace.unitNormal } },
  ({ normal }) => ({ unitNormal: normalize(normal) }),
);

/** What a kernel reads of the half-space that something touches. */
const HALF_SPACE = {
  ...onEach({
    unitNormal: HalfSpace.unitNormal,
    offset: HalfSpace.offset,
    hasMaterial: HalfSpace.hasMaterial,
  }),
  ...surfaceIn(HalfSpaceMaterial),
};
type OnHalfSpace = { readonly halfSpace: Index } & ReadersOf<typeof HALF_SPACE>;

const distanceTo = (c: OnHalfSpace, place: Vec3): F32 =>
  dot(c.unitNormal.at(c.halfSpace), place).sub(c.offset.at(c.halfSpace));

/** The force of a half-space, by its material combined with that of what touches it where it has one. */
function pressure(c: OnHalfSpace, depth: F32, velocity: Vec3, own: Material, dt: F32): Vec3 {
  const { halfSpace } = c;
  const both = combine(own, surfaceOf(c, halfSpace));
  const hasBoth = c.hasMaterial.at(halfSpace).gt(0);
  const material = {
    ke: select(hasBoth, both.ke, own.ke),
    kd: select(hasBoth, both.kd, own.kd),
    kf: select(hasBoth, both.kf, own.kf),
    mu: select(hasBoth, both.mu, own.mu),
  };
  return contactForce(depth, c.unitNormal.at(halfSpace), velocity, material, dt);
}

const withPoints = once(({ component }: PointsThatTouch) =>
  pairsOf({ point: component, halfSpace: HalfSpace }),
);

/** One point against one half-space. */
export const touchWithPoint = once((points: PointsThatTouch) => {
  const { domain, indices } = withPoints(points);
  return kernel(
    `touch_${domain}`,
    { domain, reads: { ...indices, ...pointIn(points), ...HALF_SPACE }, adds: { force: on(points.force) } },
    (c, { dt }) => {
      const { point } = c;
      const depth = c.thickness.at(point).sub(distanceTo(c, c.position.at(point)));
      c.force.add(point, pressure(c, depth, c.velocity.at(point), materialOf(c, point), dt));
    },
  );
});

/** Every point with contact, paired with every half-space. */
export function addPoints({ model, entities }: BuildContext, { points, numbers }: Touching): void {
  const halfSpaces = [...entities(HalfSpace).keys()];
  const rows = numbers.flatMap((point) => halfSpaces.map((halfSpace) => ({ point, halfSpace })));
  addPairs(model, withPoints(points), rows, () => touchWithPoint(points));
  if (halfSpaces.length > 0) addStiffness(model, points, HalfSpaceMaterial, halfSpaces.length);
}

type BodyOnHalfSpace = OnHalfSpace & { readonly body: Index } & ReadersOf<ReturnType<typeof bodyIn>> &
  AddersOf<ReturnType<typeof reactionOn>>;

/** A point of a body against a half-space: at `arm` from the centre of mass in world axes, touching from `thickness` on. */
function pressBody(c: BodyOnHalfSpace, arm: Vec3, thickness: F32 | null, own: Material, dt: F32): void {
  const { body } = c;
  const distance = distanceTo(c, c.bodyPosition.at(body).add(arm));
  const depth = thickness ? thickness.sub(distance) : distance.neg();
  const velocity = c.bodyVelocity.at(body).add(cross(c.angularVelocity.at(body), arm));
  const f = pressure(c, depth, velocity, own, dt);
  c.bodyForce.add(body, f);
  c.torque.add(body, cross(arm, f));
}

const withVertices = once(({ component, vertices }: BodiesThatTouch) =>
  pairsOf({ body: component, vertex: vertices!.local, halfSpace: HalfSpace }),
);

/** One vertex of a body against one half-space. */
export const touchWithVertex = once((bodies: BodiesThatTouch) => {
  const { domain, indices } = withVertices(bodies);
  const { ke, kd, kf, mu, thickness } = contactOf(bodies.component);
  const own = onEach({ local: bodies.vertices!.local, ke, kd, kf, mu, thickness });
  return kernel(
    `touch_${domain}`,
    { domain, reads: { ...indices, ...own, ...bodyIn(bodies), ...HALF_SPACE }, adds: reactionOn(bodies) },
    (c, { dt }) => {
      const { body, vertex } = c;
      const arm = rotate(c.bodyOrientation.at(body), c.local.at(vertex));
      pressBody(c, arm, c.thickness.at(body), materialOf(c, body), dt);
    },
  );
});

/**
 * Every vertex of a body with contact, paired with every half-space.
 * @throws when a body has contact, and has no vertices.
 */
export function addVertices(context: BuildContext, bodies: BodiesThatTouch): void {
  const { scene, model, entities } = context;
  const { component, vertices } = bodies;
  const touching = withContact(context, component);
  if (!touching.includes(true)) return;
  const owners = vertices ? Array.from(model.field(vertices.body).values!) : [];
  const has = new Set(owners);
  const bare = touching.findIndex((touches, body) => touches && !has.has(body));
  if (bare >= 0)
    throw new Error(
      `${scene.describe(entities(component)[bare])} has ${contactOf(component).name}, but ${vertices ? 'no mesh, and so no vertices to touch with; give it a mesh, or' : `${component.name} come without vertices to touch with; give it`} a ContactSphere instead.`,
    );
  if (!vertices) return;
  const halfSpaces = [...entities(HalfSpace).keys()];
  const rows = owners.flatMap((body, vertex) =>
    touching[body] ? halfSpaces.map((halfSpace) => ({ body, vertex, halfSpace })) : [],
  );
  addPairs(model, withVertices(bodies), rows, () => touchWithVertex(bodies));
}

const withSpheres = once(({ component }: BodiesThatTouch) =>
  pairsOf({ sphere: ContactSphere, body: component, halfSpace: HalfSpace }),
);

/** One sphere of a body against one half-space: it touches with its point nearest to the half-space. */
export const touchWithSphere = once((bodies: BodiesThatTouch) => {
  const { domain, indices } = withSpheres(bodies);
  const { position, radius } = ContactSphere;
  const own = { ...onEach({ shapePosition: position, radius }), ...materialIn(ContactSphere) };
  return kernel(
    `touch_${domain}`,
    { domain, reads: { ...indices, ...own, ...bodyIn(bodies), ...HALF_SPACE }, adds: reactionOn(bodies) },
    (c, { dt }) => {
      const { sphere, body, halfSpace } = c;
      const down = c.unitNormal.at(halfSpace).mul(c.radius.at(sphere));
      const arm = rotate(c.bodyOrientation.at(body), c.shapePosition.at(sphere)).sub(down);
      pressBody(c, arm, null, materialOf(c, sphere), dt);
    },
  );
});

/** Every sphere of a body, paired with every half-space. */
export function addSpheres(context: BuildContext, bodies: BodiesThatTouch): void {
  const { model, entities } = context;
  const halfSpaces = [...entities(HalfSpace).keys()];
  const rows = entities(ContactSphere).flatMap((entity, sphere) => {
    const owner = ownerOf(context, entity, ContactSphere);
    if (owner?.bodies !== bodies) return [];
    return halfSpaces.map((halfSpace) => ({ sphere, body: owner.number, halfSpace }));
  });
  addPairs(model, withSpheres(bodies), rows, () => touchWithSphere(bodies));
}
