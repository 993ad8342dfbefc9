import type { BuildContext, Kernel, Phase } from '@gradsim/core';
import { bind, f32 } from '@gradsim/core';
import type { BodiesThatTouch, PointsThatTouch } from '@gradsim/physics';
import { touchHalfSpace } from './bodies.ts';
import { BodyContact, HalfSpace, ParticleContact } from './components.ts';
import { FIELD_NAMES } from './names.ts';
import { touchWithParticle } from './particles.ts';
import type { Shape } from './shapes/shape.ts';
import { bodyNumber } from './shapes/shape.ts';
import { ContactSphere } from './shapes/sphere.ts';
import { touchWithSphere } from './spheres.ts';
import { stiffnessOfTouch } from './stability.ts';

type Model = BuildContext['model'];

/**
 * A domain of things that can touch: one element a row, which holds an element of each of the domains that `columns`
 * names.
 */
function addPairs(
  model: Model,
  domain: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly (readonly number[])[],
): void {
  model.addDomain(domain, rows.length);
  Object.entries(columns).forEach(([name, target], k) => {
    model.addIndex(
      domain,
      name,
      target,
      1,
      rows.map((row) => row[k]),
    );
  });
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

/** Every vertex of a body with contact, paired with every half-space. */
export function addBodyContacts(
  { model, entities }: BuildContext,
  { component, vertices }: BodiesThatTouch,
): void {
  const halfSpaces = numbers(entities(HalfSpace).length);
  const touching = new Set(entities(BodyContact));
  const order = entities(component);
  const rows = Array.from(vertices.body).flatMap((body, vertex) =>
    touching.has(order[body]) ? halfSpaces.map((halfSpace) => [body, vertex, halfSpace]) : [],
  );
  addPairs(model, 'bodyContacts', { body: 'bodies', vertex: 'bodyVertices', halfSpace: 'halfSpaces' }, rows);
  addContactPass(model, 'force', touchHalfSpace);
}

/** Every sphere of a body, paired with every half-space. */
export function addSphereContacts(context: BuildContext): void {
  const { model, entities } = context;
  const halfSpaces = numbers(entities(HalfSpace).length);
  const rows = entities(ContactSphere).flatMap((entity, sphere) => {
    const body = bodyNumber(context, entity, ContactSphere);
    return body === undefined ? [] : halfSpaces.map((halfSpace) => [sphere, body, halfSpace]);
  });
  addPairs(model, 'sphereContacts', { sphere: 'spheres', body: 'bodies', halfSpace: 'halfSpaces' }, rows);
  if (rows.length > 0) addContactPass(model, 'force', touchWithSphere());
}

/** Which particles have contact. */
export function markTouching({ model, scene, entities }: BuildContext, { component }: PointsThatTouch): void {
  const values = entities(component).map((entity) => (scene.has(entity, ParticleContact.name) ? 1 : 0));
  model.addField('particles', 'touches', f32, { shared: true, values });
}

const touchingParticles = ({ model }: BuildContext): number[] =>
  Array.from(model.field('particles.touches').values!).flatMap((touches, k) => (touches ? [k] : []));

/** Every particle with contact, paired with every half-space. */
export function addParticleContacts(context: BuildContext): void {
  const { model, entities } = context;
  const halfSpaces = numbers(entities(HalfSpace).length);
  const rows = touchingParticles(context).flatMap((particle) =>
    halfSpaces.map((halfSpace) => [particle, halfSpace]),
  );
  addPairs(model, 'particleContacts', { particle: 'particles', halfSpace: 'halfSpaces' }, rows);
  if (rows.length > 0) addContactPass(model, 'force', touchWithParticle());
  if (halfSpaces.length > 0)
    addContactPass(model, 'setup', stiffnessOfTouch('halfSpaces', halfSpaces.length));
}

/** Every particle with contact, paired with every shape of a kind: those of bodies, and those in the world. */
export function addShapeContacts(context: BuildContext, { component, name, onBody, inWorld }: Shape): void {
  const { model, entities } = context;
  const particles = touchingParticles(context);
  const owners = entities(component).map((entity) => bodyNumber(context, entity, component));
  const shapes = { particle: 'particles', shape: component.name };
  addContactPass(model, 'setup', stiffnessOfTouch(component.name, owners.length));
  const onBodies = particles.flatMap((particle) =>
    owners.flatMap((body, shape) => (body === undefined ? [] : [[particle, shape, body]])),
  );
  if (onBodies.length > 0) {
    addPairs(model, `particle${name}Contacts`, { ...shapes, body: 'bodies' }, onBodies);
    addContactPass(model, 'force', onBody());
  }
  const standing = particles.flatMap((particle) =>
    owners.flatMap((body, shape) => (body === undefined ? [[particle, shape]] : [])),
  );
  if (standing.length > 0) {
    addPairs(model, `particle${name}Obstacles`, shapes, standing);
    addContactPass(model, 'force', inWorld());
  }
}

/** A kernel with the fields that its names stand for: it has some of those that two domains share. */
function addContactPass(model: Model, phase: Phase, kernel: Kernel): void {
  const isPort = (name: string): boolean => kernel.form.ports.some((port) => port.name === name);
  const names = Object.fromEntries(Object.entries(FIELD_NAMES).filter(([name]) => isPort(name)));
  model.addPass(phase, bind(kernel, names));
}
