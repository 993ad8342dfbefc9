import type { F32, Kernel } from '@gradsim/core';
import { f32, forRange, kernel, max, on } from '@gradsim/core';

const OWN = { touches: f32, ke: f32, kd: f32, kf: f32 } as const;
const AROUND = { stiffnessAround: f32, dampingAround: f32 } as const;

/**
 * The damping in touch: of kd along the normal up to 3/2 counts in the first substep of a touch, across it at most kf.
 * With kd alone a substep near the bound could throw back twice as fast what it stops.
 */
const dampingOf = (kd: F32, kf: F32): F32 => max(kd.mul(1.5), kf);

/**
 * What contact adds to the stiffness and damping around a particle: that of the hardest of the surfaces of a domain, as
 * if it was touched. Bodies that surfaces move with are taken to be much heavier than a particle.
 */
export const stiffnessOfTouch = (domain: string, count: number): Kernel => {
  const isHalfSpace = domain === 'halfSpaces';
  return kernel(
    `stiffnessOfTouch_${domain}`,
    {
      domain: 'particles',
      reads: {
        ...OWN,
        surfaceKe: on(domain, f32),
        surfaceKd: on(domain, f32),
        surfaceKf: on(domain, f32),
        ...(isHalfSpace ? { hasMaterial: on(domain, f32) } : {}),
      },
      adds: AROUND,
    },
    ({ touches, ke, kd, kf, surfaceKe, surfaceKd, surfaceKf, stiffnessAround, dampingAround, ...rest }) => {
      const none = { stiffness: f32(0), damping: f32(0) };
      const hardest = forRange(0, count, none, (k, { stiffness, damping }) => {
        // A half-space without a material of its own takes that of the particle.
        const share: F32 = rest.hasMaterial ? rest.hasMaterial.at(k).mul(0.5) : f32(0.5);
        const mixed = (own: F32, surface: F32): F32 => own.add(surface.sub(own).mul(share));
        return {
          stiffness: max(stiffness, mixed(ke, surfaceKe.at(k))),
          damping: max(damping, dampingOf(mixed(kd, surfaceKd.at(k)), mixed(kf, surfaceKf.at(k)))),
        };
      });
      stiffnessAround.add(hardest.stiffness.mul(touches));
      dampingAround.add(hardest.damping.mul(touches));
    },
  );
};

/**
 * What contact of surfaces with each other adds: as if the particle touched a triangle of its own material, and one of
 * its triangles was touched, two blocks each.
 */
export const stiffnessOfSurfaceTouch = kernel(
  'stiffnessOfSurfaceTouch',
  { domain: 'particles', reads: OWN, adds: AROUND },
  ({ touches, ke, kd, kf, stiffnessAround, dampingAround }) => {
    stiffnessAround.add(ke.mul(touches).mul(4));
    dampingAround.add(dampingOf(kd, kf).mul(touches).mul(4));
  },
);
