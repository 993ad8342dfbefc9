import type { F32, FieldOf, Kernel } from '@gradsim/core';
import { f32, field, fieldOn, kernel, select } from '@gradsim/core';
import { once } from '@gradsim/physics';
import type { bounce } from './bounce.ts';
import { withBounce, withFriction } from './bounce.ts';
import { HalfSpace, HalfSpaceMaterial } from './components.ts';
import { onEach } from './fields.ts';
import type { MaterialFields } from './material.ts';
import { combine, materialIn, materialOf, surfaceIn, surfaceOf } from './material.ts';
import type { Pairs } from './pairs.ts';

/** Columns of an element that touches half-spaces. */
export type TouchFields = MaterialFields & Readonly<Record<keyof typeof bounce, FieldOf<F32>>>;

/**
 * Pairs of an element and a half-space: `thing` has the columns of a material, `body` the mass if that is another
 * element's.
 */
type Touches = Pairs<'thing' | 'halfSpace'> | Pairs<'thing' | 'halfSpace' | 'body'>;

/** Material of each pair, computed once per run. */
export const pairMaterialIn = once(({ domain }: Touches) => ({
  ke: field(domain, 'ke', f32, { unit: 'N/m' }),
  kd: field(domain, 'kd', f32, { unit: 'N s/m' }),
  kf: field(domain, 'kf', f32, { unit: 'N s/m' }),
  mu: field(domain, 'mu', f32),
}));

/**
 * Materials of pairs: that of what touches, stiffness and damping from its bounce where it has one, combined with that
 * of the half-space where it has one, and the friction stiffness that follows where there is none.
 *
 * @param mass kilograms; not there where a plugin does not say.
 */
export function pairMaterial(pairs: Touches, material: TouchFields, mass: FieldOf<F32> | undefined): Kernel {
  const { domain, indices } = pairs;
  const { restitution, duration } = material;
  const reads = {
    thing: indices.thing,
    halfSpace: indices.halfSpace,
    ...('body' in indices ? { body: indices.body } : {}),
    ...materialIn(material),
    ...surfaceIn(HalfSpaceMaterial),
    ...onEach({ restitution, duration, hasMaterial: HalfSpace.hasMaterial }),
    ...(mass ? { mass: fieldOn(mass) } : {}),
  };
  const made = pairMaterialIn(pairs);
  // Prefixed names: the pair's own would collide with those read from the touching element.
  const writes = { pairKe: made.ke, pairKd: made.kd, pairKf: made.kf, pairMu: made.mu };
  return kernel(`material_${domain}`, { domain, reads, writes }, (c) => {
    const at = c.thing;
    const given = materialOf(c, at);
    const heft = c.mass?.at(c.body ?? at);
    const own = heft
      ? withBounce(given, { restitution: c.restitution.at(at), duration: c.duration.at(at), mass: heft })
      : given;
    const both = combine(own, surfaceOf(c, c.halfSpace));
    const hasBoth = c.hasMaterial.at(c.halfSpace).gt(0);
    const mixed = {
      ke: select(hasBoth, both.ke, own.ke),
      kd: select(hasBoth, both.kd, own.kd),
      kf: select(hasBoth, both.kf, own.kf),
      mu: select(hasBoth, both.mu, own.mu),
    };
    const { ke, kd, kf, mu } = heft ? withFriction(mixed, heft) : mixed;
    return { pairKe: ke, pairKd: kd, pairKf: kf, pairMu: mu };
  });
}
