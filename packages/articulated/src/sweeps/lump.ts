import type { F32, KernelPass, Vec3 } from '@gradsim/core';
import { dot, f32, field, inverse, mat33, matFromRows, outer, transpose, vec3 } from '@gradsim/core';
import { orientationOf, toWorld } from '../attitude.ts';
import type { JointKind } from '../link.ts';
import { Link } from '../link.ts';
import type { Rank } from '../ranks.ts';
import {
  aboutParent,
  addSymmetric,
  multipleOfOne,
  rotateSymmetric,
  rotationOf,
  rowsOf,
  skew,
  symmetric,
  symmetricFromEntries,
} from '../spatial.ts';
import { MOTION_FIELDS } from './outward.ts';
import { BODY_FIELDS } from './prepare.ts';
import { sweep } from './sweep.ts';

/** Fields of mass, kg, first moment, kg m, and inertia, kg m^2, that children add about a link's origin, world axes. */
export const LUMP_FIELDS = { lumpMass: f32, lumpMoment: vec3, lumpDiagonal: vec3, lumpOff: vec3 };

/**
 * Fields of a link on a free joint with all that hangs on it, as if its joints were locked: centre of mass, m, and inertia over
 * mass about it, m^2, with its inverse, in the link's axes.
 */
export const lockedSubtree = {
  centre: field(Link.domain, 'wholeCentre', vec3, { unit: 'm' }),
  gyration: field(Link.domain, 'wholeGyration', mat33, { unit: 'm^2' }),
  inverseGyration: field(Link.domain, 'wholeInverseGyration', mat33, { unit: '1/m^2' }),
};

const { orientation, turn, arm } = MOTION_FIELDS;
interface OwnMass {
  readonly mass: F32;
  readonly firstMoment: Vec3;
  readonly inertiaDiagonal: Vec3;
  readonly inertiaOff: Vec3;
  readonly orientation: Parameters<typeof orientationOf>[0]['orientation'];
  readonly turn: Vec3;
}
type Lump = { readonly lumpMass: F32; readonly lumpMoment: Vec3; readonly lumpDiagonal: Vec3; readonly lumpOff: Vec3 };

/** Returns a link and what hangs on it as one body: mass, first moment and inertia about its origin, world axes. */
function lumpWithChildren(own: OwnMass, borne: Lump | null) {
  const inertia = rotateSymmetric(symmetric(own.inertiaDiagonal, own.inertiaOff), rotationOf(orientationOf(own)));
  const moment = toWorld(own, own.firstMoment);
  if (!borne) return { mass: own.mass, moment, inertia };
  return {
    mass: own.mass.add(borne.lumpMass),
    moment: moment.add(borne.lumpMoment),
    inertia: addSymmetric(inertia, symmetric(borne.lumpDiagonal, borne.lumpOff)),
  };
}

const SHARED_SWEEP = {
  name: 'lump',
  own: { ...BODY_FIELDS, orientation, turn, arm },
  parent: {},
  world: { reads: {}, of: () => ({}) },
  link: {},
  childFields: LUMP_FIELDS,
  writes: {},
};
const passToParent = sweep({
  ...SHARED_SWEEP,
  lifts: LUMP_FIELDS,
  sums: {},
  run: ({ own, borne }) => {
    const { mass, moment, inertia } = lumpWithChildren(own, borne);
    const coupling = skew(moment);
    const { angular } = aboutParent({ angular: inertia, coupling, linear: multipleOfOne(mass) }, own.arm);
    return {
      own: {},
      lifted: {
        lumpMass: mass,
        lumpMoment: moment.add(own.arm.mul(mass)),
        lumpDiagonal: angular.diagonal,
        lumpOff: angular.offDiagonal,
      },
      link: {},
    };
  },
});
const storeSubtree = sweep({
  ...SHARED_SWEEP,
  lifts: {},
  sums: lockedSubtree,
  run: ({ own, borne }) => {
    const { mass, moment, inertia } = lumpWithChildren(own, borne);
    const back = transpose(rotationOf(orientationOf(own)));
    const perMass = f32(1).div(mass);
    const centre = back.mul(moment).mul(perMass);
    const { diagonal, offDiagonal } = rotateSymmetric(inertia, back);
    const away = outer(centre, centre);
    const square = dot(centre, centre);
    const about = symmetric(diagonal.mul(perMass), offDiagonal.mul(perMass));
    const rows = rowsOf(about);
    const gyration = matFromRows(
      rowsOf(
        symmetricFromEntries((i, j) => {
          const steiner = i === j ? square.sub(away.entry(i, i)) : away.entry(i, j).neg();
          return rows[i].components[j].sub(steiner);
        }),
      ),
    );
    return { own: {}, lifted: {}, link: { centre, gyration, inverseGyration: inverse(gyration) } };
  },
});

const sweepOf = (joint: JointKind) => (joint === 'free' ? storeSubtree : passToParent);
/** Backward sweep, leaves to roots: computes {@link lockedSubtree} of links on free joints, at the current pose. */
export const lump = (rank: Rank): KernelPass => sweepOf(rank.joint)(rank);
