import type { BuildContext, F32, Plugin } from '@gradsim/core';
import { bind, definePlugin, Surfaces, u32, vec2, vec3 } from '@gradsim/core';
import { PointsThatTouch } from '@gradsim/physics';
import { ParticleContact } from '../components.ts';
import { stiffnessOfSurfaceTouch } from '../stability.ts';
import { pointsIn } from '../touching.ts';
import { reactOnSurface, touchSurface } from './force.ts';
import { bucketOfParticle, gridSizes, mergeRuns, reachOfChunk, reachOfWorld, startOfBucket } from './grid.ts';
import type { SearchSettings } from './neighbours.ts';
import { particlesNearTriangle, trianglesNearParticle, watchTravel } from './neighbours.ts';
import { touchingSurfaces } from './topology.ts';

/** What {@link surfaceContact} takes. */
export interface SurfaceContactOptions {
  /**
   * No touching particle may be faster for long, m/s: neighbours are looked for as far as two particles of this speed come
   * until the next search. A run with a faster one gives an error.
   */
  readonly maxSpeed: number;
  /** Substeps from one search for neighbours to the next. Default 16. */
  readonly refresh?: number;
  /** How many triangles a particle, and particles a triangle, can have near. Default 48. */
  readonly neighbours?: number;
}

/**
 * Cloth against itself and against other cloth, and the surfaces of soft bodies: every particle with
 * {@link ParticleContact} against every triangle whose corners have it, of all surfaces that plugins offer. It needs
 * `contact`.
 *
 * ```ts
 * const scene = createScene([particles(), cloth(), contact(), surfaceContact({ maxSpeed: 5 })]);
 * const sheet = addCloth(scene, plane({ size: [1, 1], segments: [20, 20] }), { mu: 300, lambda: 400, density: 0.2 });
 * for (const particle of sheet.particles)
 *   scene.attach(particle, ParticleContact, { ke: 50, kd: 0.01, kf: 0.05, mu: 0.3, thickness: 0.015 });
 * ```
 * @throws when an option is out of its range.
 */
export function surfaceContact({ maxSpeed, refresh = 16, neighbours = 48 }: SurfaceContactOptions): Plugin {
  if (!(maxSpeed > 0 && Number.isFinite(maxSpeed)))
    throw new Error(`surfaceContact: maxSpeed is ${maxSpeed}; it must be a speed above 0 m/s.`);
  for (const [name, value] of [['refresh', refresh] as const, ['neighbours', neighbours] as const]) {
    if (!Number.isInteger(value) || value < 1)
      throw new Error(`surfaceContact: ${name} is ${value}; it must be a whole number of at least 1.`);
  }
  return definePlugin({
    name: '@gradsim/contact/surfaces',
    contract: 1,
    requires: ['@gradsim/contact'],
    takes: [Surfaces, PointsThatTouch],
    build: (context) => {
      context.model.addPass('setup', stiffnessOfSurfaceTouch);
      addSurfaceContact(context, { maxSpeed, refresh, neighbours });
    },
  });
}

/** The most places for neighbours: each is several words of memory. */
const MOST_PLACES = 1e8;

function addSurfaceContact(context: BuildContext, options: Required<SurfaceContactOptions>): void {
  const { scene, model, entities } = context;
  const { maxSpeed, refresh, neighbours: room } = options;
  const points = pointsIn(context);
  if (!points)
    throw new Error(
      'surfaceContact: no plugin of the scene has points that can touch; register @gradsim/particles.',
    );
  const order = entities(points.component);
  const touches = order.map((entity) => scene.has(entity, ParticleContact.name));
  const surfaces = touchingSurfaces(context, touches, restPositions(context));
  const triangles = surfaces.corners.length / 3;
  if (triangles === 0) return;
  const count = order.length;
  const places = (count + triangles) * room;
  if (places > MOST_PLACES)
    throw new Error(
      `surfaceContact: neighbours is ${room}, which for ${count} particles and ${triangles} triangles makes ${places} places; at most ${MOST_PLACES} can be held. Take fewer.`,
    );
  const sizes = gridSizes(count, triangles);
  const describe = (k: number): string => scene.describe(order[k]);

  model.addDomain('touchingTriangles', triangles);
  model.addDomain('touchingCorners', 3 * triangles);
  model.addDomain('contactChunks', sizes.chunks);
  model.addDomain('contactBuckets', sizes.buckets + 1);
  model.addDomain('particleNeighbours', count * room);
  model.addDomain('triangleNeighbours', triangles * room);
  model.addIndex('touchingTriangles', 'vertices', 'particles', 3, surfaces.corners, surfaces.describe);
  model.addIndex('touchingCorners', 'corner', 'particles', 1, surfaces.corners);
  const perParticle = { shared: true, describe };
  model.addField('particles', 'piece', u32, { ...perParticle, values: surfaces.piece });
  model.addField('particles', 'firstTriangle', u32, { ...perParticle, values: surfaces.firstTriangle });
  model.addField('particles', 'triangleCount', u32, { ...perParticle, values: surfaces.triangleCount });
  for (const [domain, others] of [
    ['particles', 'triangles'],
    ['touchingTriangles', 'particles'],
  ]) {
    model.addAlarm(
      domain,
      'crowded',
      vec2,
      ([found], element) =>
        `${element} has ${found} ${others} near it, and surfaceContact has room for ${room}; raise neighbours, or make thickness, maxSpeed or refresh smaller`,
    );
  }
  model.addAlarm(
    'particles',
    'strayed',
    vec3,
    ([travel, speed], particle) =>
      `${particle} has moved ${travel.toPrecision(3)} m since neighbours were last looked for, at ${speed.toPrecision(3)} m/s now: further than surfaceContact looks for a maxSpeed of ${maxSpeed} m/s, so contacts may be missed. Raise maxSpeed; where nothing should be as fast, the motion is unstable: raise \`substeps\``,
  );

  // Both sides of a pair move.
  const margin = (dt: F32): F32 => dt.mul(2 * maxSpeed * refresh);
  const settings: SearchSettings = { sizes, room, margin };
  model.searchEvery(refresh);
  model.addPass('search', reachOfChunk(sizes));
  model.addPass('search', reachOfWorld(sizes, margin));
  // Runs are merged to and fro between two fields.
  const fields = [
    { bucket: 'contactBucket', sorted: 'contactSorted' },
    { bucket: 'contactBucket2', sorted: 'contactSorted2' },
  ];
  model.addPass('search', bind(bucketOfParticle(sizes), fields[0]));
  const levels = Math.ceil(Math.log2(count));
  for (let level = 0; level < levels; level++) {
    const [from, to] = [fields[level % 2], fields[(level + 1) % 2]];
    model.addPass(
      'search',
      bind(mergeRuns(sizes, level), {
        ...from,
        mergedBucket: to.bucket,
        mergedSorted: to.sorted,
      }),
    );
  }
  const { bucket, sorted } = fields[levels % 2];
  model.addPass('search', bind(startOfBucket(sizes), { bucket }));
  model.addPass('search', bind(trianglesNearParticle(settings), { sorted }));
  model.addPass('search', bind(particlesNearTriangle(settings), { sorted }));
  model.addPass('force', watchTravel(settings));
  model.addPass('force', touchSurface(room));
  model.addPass('force', reactOnSurface(room));
}

/** Positions in the rest shape, as far as they are known before the run. */
function restPositions({ model }: BuildContext): ArrayLike<number> {
  const [position, rest, hasRest] = ['position', 'restPosition', 'hasRest'].map(
    (name) => model.field(`particles.${name}`).values!,
  );
  return Float64Array.from(position, (x, k) => (hasRest[Math.floor(k / 3)] > 0 ? rest[k] : x));
}
