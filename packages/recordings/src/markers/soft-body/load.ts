import { add, norm, scale, subtract, type Vector, vectorAt } from '@gradsim/base';
import type { Entity, Scene } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { type QuadraticMesh, quadraticSurface } from '@gradsim/fem';
import { Particle } from '@gradsim/particles';
import { Spring } from '@gradsim/springs';
import { nearestNodes } from './elements.ts';
import { patchWeights } from './patch.ts';

/** A load on a soft body. */
export interface Load {
  /** Mass, kg. */
  readonly mass: number;
  /** Point of the body at rest that it is at or hangs from, m. */
  readonly position: Vector;
  /**
   * Distance from `position`, m, up to which a load that is fixed to the body touches its surface. Default: it acts at the nearest node,
   * about which a body gives the more the finer its mesh.
   */
  readonly radius?: number;
  /** Length of the thread that it hangs from, m. Without one, it is fixed to the body. */
  readonly thread?: number;
  /**
   * Position of its centre of mass against `position`, m, in axes of the body: a load that stands off the surface bends the body by
   * its lever too, the more the body turns. It is tied to the surface up to `radius`.
   */
  readonly offset?: Vector;
}

/** Tie of a load that stands off the surface: nodes of the body, at rest, m, that its springs lead to. */
export interface LoadTie {
  readonly position: Vector;
  readonly nodes: readonly Vector[];
}

/** Lengths of the springs of a load's tie, m. */
export const tieLengths = ({ position, nodes }: LoadTie, offset: Vector): number[] =>
  nodes.map((node) => norm(subtract(add(position, offset), node)));

/** Angular frequency of a load on its thread, rad/s: it gives by g over its square, 0.1 mm. */
const THREAD_FREQUENCY = 300;
/** Damping ratio of that. */
const THREAD_DAMPING = 0.02;
/** Angular frequency of a load on the springs of its tie, rad/s, some ten times that of a body's swing; its damping ratio. */
const TIE_FREQUENCY = 600;
const TIE_DAMPING = 0.05;

/**
 * Adds a load to a body: to nodes of its surface, or as a particle on a thread below the nearest one. A load on a thread pulls, and
 * falls and rises with the body, but does not swing sideways with it.
 *
 * @param mesh the body's elements; `down`: direction of gravity in axes of the body.
 * @returns masses, kg, of the nodes and of what hangs, the particle that hangs, and the tie of one that stands off.
 */
export function addLoad(
  scene: Scene,
  load: Load | undefined,
  {
    mesh,
    particles,
    down,
    name,
  }: {
    readonly mesh: QuadraticMesh;
    readonly particles: readonly Entity[];
    readonly down: Vector;
    readonly name: string;
  },
): { readonly masses: readonly number[]; readonly hanging: readonly Entity[]; readonly tie?: LoadTie } {
  const nodes = mesh.positions;
  const masses = Array<number>(nodes.length / 3).fill(0);
  if (!load) return { masses, hanging: [] };
  const { mass, thread, position: at, radius, offset } = load;
  if (thread !== undefined && radius !== undefined)
    throw new GradsimError('markers/load-radius-on-thread', `The load of ${name} has a thread and a radius.`, {
      field: 'load',
      hint: 'A thread pulls at one node: leave out the radius. Without a thread a load touches the surface up to the radius.',
    });
  if (offset !== undefined && (radius === undefined || !(norm(offset) > 0)))
    throw new GradsimError(
      'markers/load-offset-without-tie',
      `The load of ${name} has an offset of ${norm(offset)} m${radius === undefined ? ' and no radius' : ''}.`,
      {
        field: 'load',
        hint: 'A load that stands off the surface is tied to it up to `radius`, and its offset is above 0 and not along the surface.',
      },
    );
  if (radius !== undefined) {
    const weights = patchWeights({ nodes, triangles: quadraticSurface(mesh.nodes) }, { at, radius }, name);
    if (offset) return addTiedLoad(weights, offset);
    return { masses: Array.from(weights, (weight) => mass * weight), hanging: [] };
  }
  const [node] = nearestNodes(nodes, at, 1);
  if (thread === undefined) {
    masses[node] = mass;
    return { masses, hanging: [] };
  }
  const particle = scene.add(
    Particle,
    { position: add(vectorAt(nodes, node), scale(down, thread)), mass },
    `load of ${name}`,
  );
  scene.add(Spring, {
    ends: [particles[node], particle],
    restLength: thread,
    stiffness: mass * THREAD_FREQUENCY ** 2,
    damping: 2 * THREAD_DAMPING * mass * THREAD_FREQUENCY,
  });
  return { masses: [...masses, mass], hanging: [particle] };

  function addTiedLoad(weights: Float64Array, offset: Vector): ReturnType<typeof addLoad> {
    const chosen = [...weights.keys()].filter((node) => weights[node] > 0);
    const tie: LoadTie = { position: at, nodes: chosen.map((node) => vectorAt(nodes, node)) };
    const position = add(at, offset);
    const particle = scene.add(Particle, { position, mass }, `load of ${name}`);
    // Springs in all directions hold with a third of their stiffness along each.
    const share = (3 * mass) / chosen.length;
    for (const [k, restLength] of tieLengths(tie, offset).entries())
      scene.add(Spring, {
        ends: [particles[chosen[k]], particle],
        restLength,
        stiffness: share * TIE_FREQUENCY ** 2,
        damping: 2 * TIE_DAMPING * share * TIE_FREQUENCY,
      });
    return { masses: [...masses, mass], hanging: [particle], tie };
  }
}
