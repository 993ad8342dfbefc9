import type { F32, KernelPass, Vec3 } from '@gradsim/core';
import { dot, f32, field, inverse, mat33, matFromRows, outer, transpose, vec3 } from '@gradsim/core';
import { orientationOf, toWorld } from '../attitude.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import {
  aboutParent,
  fromEntries,
  multipleOfOne,
  plus,
  rotationOf,
  rowsOf,
  skew,
  symmetric,
  turned,
} from '../spatial.ts';
import { MOTION } from './outward.ts';
import { BODY } from './prepare.ts';
import { sweep } from './sweep.ts';

/** Fields of mass, kg, first moment, kg m, and inertia, kg m^2, that children add about a link's origin, world axes. */
export const LUMP = { lumpMass: f32, lumpMoment: vec3, lumpDiagonal: vec3, lumpOff: vec3 };

/**
 * Fields of a link on a free joint with all that hangs on it, as if its joints were locked: centre of mass, m, and inertia over
 * mass about it, m^2, with its inverse, in the link's axes.
 */
export const whole = {
  centre: field(Link.domain, 'wholeCentre', vec3, { unit: 'm' }),
  gyration: field(Link.domain, 'wholeGyration', mat33, { unit: 'm^2' }),
  inverseGyration: field(Link.domain, 'wholeInverseGyration', mat33, { unit: '1/m^2' }),
};

const { orientation, turn, arm } = MOTION;
interface Own {
  readonly mass: F32;
  readonly firstMoment: Vec3;
  readonly inertiaDiagonal: Vec3;
  readonly inertiaOff: Vec3;
  readonly orientation: Parameters<typeof orientationOf>[0]['orientation'];
  readonly turn: Vec3;
}
type Lump = { readonly lumpMass: F32; readonly lumpMoment: Vec3; readonly lumpDiagonal: Vec3; readonly lumpOff: Vec3 };

/** Returns a link and what hangs on it as one body: mass, first moment and inertia about its origin, world axes. */
function together(own: Own, borne: Lump | null) {
  const inertia = turned(symmetric(own.inertiaDiagonal, own.inertiaOff), rotationOf(orientationOf(own)));
  const moment = toWorld(own, own.firstMoment);
  if (!borne) return { mass: own.mass, moment, inertia };
  return {
    mass: own.mass.add(borne.lumpMass),
    moment: moment.add(borne.lumpMoment),
    inertia: plus(inertia, symmetric(borne.lumpDiagonal, borne.lumpOff)),
  };
}

const SHARED = {
  name: 'lump',
  own: { ...BODY, orientation, turn, arm },
  parent: {},
  world: { reads: {}, of: () => ({}) },
  link: {},
  bears: LUMP,
  writes: {},
};
const passedOn = sweep({
  ...SHARED,
  lifts: LUMP,
  sums: {},
  run: ({ own, borne }) => {
    const { mass, moment, inertia } = together(own, borne);
    const coupling = skew(moment);
    const { angular } = aboutParent({ angular: inertia, coupling, linear: multipleOfOne(mass) }, own.arm);
    return {
      own: {},
      lifted: {
        lumpMass: mass,
        lumpMoment: moment.add(own.arm.mul(mass)),
        lumpDiagonal: angular.diagonal,
        lumpOff: angular.off,
      },
      link: {},
    };
  },
});
const kept = sweep({
  ...SHARED,
  lifts: {},
  sums: whole,
  run: ({ own, borne }) => {
    const { mass, moment, inertia } = together(own, borne);
    const back = transpose(rotationOf(orientationOf(own)));
    const perMass = f32(1).div(mass);
    const centre = back.mul(moment).mul(perMass);
    const { diagonal, off } = turned(inertia, back);
    const away = outer(centre, centre);
    const square = dot(centre, centre);
    const about = symmetric(diagonal.mul(perMass), off.mul(perMass));
    const rows = rowsOf(about);
    const gyration = matFromRows(
      rowsOf(
        fromEntries((i, j) => {
          const steiner = i === j ? square.sub(away.entry(i, i)) : away.entry(i, j).neg();
          return rows[i].components[j].sub(steiner);
        }),
      ),
    );
    return { own: {}, lifted: {}, link: { centre, gyration, inverseGyration: inverse(gyration) } };
  },
});

const sweepOf = (joint: JointKind) => (joint === 'free' ? kept : passedOn);
/** Backward sweep, leaves to roots: computes {@link whole} of links on free joints, at the current pose. */
export const lump = (rank: Rank): KernelPass => sweepOf(rank.joint)(rank);
