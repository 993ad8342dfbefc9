import type { F32, FieldOf, Kernel } from '@gradsim/core';
import { f32, field, fieldOn, kernel, select } from '@gradsim/core';
import { memoise } from '@gradsim/dynamics';
import type { bounce } from './bounce.ts';
import { withBounce, withFriction } from './bounce.ts';
import { HalfSpace, HalfSpaceMaterial } from './components.ts';
import { readsOnElements } from './fields.ts';
import type { MaterialFields } from './material.ts';
import { combineMaterials, materialIn, materialOf, surfaceIn, surfaceOf } from './material.ts';
import type { PairDomain } from './pairs.ts';

/** Columns of material and bounce of a component whose elements touch half-spaces. */
export type TouchFields = MaterialFields & Readonly<Record<keyof typeof bounce, FieldOf<F32>>>;

/**
 * Pairs of an element and a half-space: `thing` is the element with the material, `body` the one with the mass if that
 * is another element.
 */
type HalfSpacePairs = PairDomain<'thing' | 'halfSpace'> | PairDomain<'thing' | 'halfSpace' | 'body'>;

/** Fields for the combined material of each pair, which a kernel computes once per run. */
export const pairMaterialIn = memoise(({ domain }: HalfSpacePairs) => ({
  ke: field(domain, 'ke', f32, { unit: 'N/m' }),
  kd: field(domain, 'kd', f32, { unit: 'N s/m' }),
  kf: field(domain, 'kf', f32, { unit: 'N s/m' }),
  mu: field(domain, 'mu', f32),
}));

/**
 * Kernel that computes the materials of pairs: ke and kd of the element from its columns or its bounce; combined with
 * the half-space's material if it has one; and a default friction stiffness where kf is 0.
 *
 * @param mass of the element or its body, kg; undefined if its plugin offers none.
 */
export function pairMaterial(pairs: HalfSpacePairs, material: TouchFields, mass: FieldOf<F32> | undefined): Kernel {
  const { domain, indices } = pairs;
  const { restitution, duration } = material;
  const reads = {
    thing: indices.thing,
    halfSpace: indices.halfSpace,
    ...('body' in indices ? { body: indices.body } : {}),
    ...materialIn(material),
    ...surfaceIn(HalfSpaceMaterial),
    ...readsOnElements({ restitution, duration, hasMaterial: HalfSpace.hasMaterial }),
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
    const both = combineMaterials(own, surfaceOf(c, c.halfSpace));
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
