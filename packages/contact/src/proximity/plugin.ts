import type { BuildContext, Component, Plugin } from '@gradsim/core';
import {
  definePlugin,
  describeValue,
  GradsimError,
  refuseUnknownOptions,
  refuseWrongType,
  Surfaces,
} from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import { intervalOf, PointsThatTouch } from '@gradsim/dynamics';
import { bucketOfPoint, levelsOf, marginsOf, mergeRuns, startOfBucket } from '@gradsim/dynamics/internal';
import { addStiffnessOfSurfaces } from '../stability.ts';
import { hasContactByElement } from '../touching.ts';
import type { Search } from './fields.ts';
import { gridSizes, surfaceFields } from './fields.ts';
import { reactOnSurface, touchSurface } from './force.ts';
import { pointsNearPoint, pointsNearTriangle, trianglesNearPoint, watchTravel } from './neighbours.ts';
import { chunkReach, worldCellSize } from './reach.ts';
import type { TouchingSurfaces } from './topology.ts';
import { touchingSurfaces } from './topology.ts';

/** Options of {@link surfaceContact}. */
export interface SurfaceContactOptions {
  /**
   * Maximum sustained speed of points, m/s: neighbours are searched within the distance that two points of this speed
   * cover until the next search. A run in which a point moves farther than that ends in an error.
   */
  readonly maxSpeed: number;
  /** Number of substeps between neighbour searches. Default 16. */
  readonly refresh?: number;
  /**
   * Capacity of a neighbour list, that is of triangles near a point or of points near a triangle; at most 250. Default
   * 48.
   */
  readonly neighbours?: number;
  /**
   * Components whose points touch the surfaces between points of the same component; points of one component pass
   * through surfaces of another. Default: the only component with contact.
   */
  readonly components?: readonly Component[];
}
const OPTIONS = { maxSpeed: true, refresh: true, neighbours: true, components: true };
type Limits = Required<Omit<SurfaceContactOptions, 'components'>>;

/**
 * Contact of cloth with itself and other cloth, and of the surfaces of soft bodies: between every point with contact
 * and every triangle whose corners all have contact, for all surfaces that plugins offer between points of one
 * component. It needs the plugin `contact`.
 *
 * ```ts
 * const scene = createScene([particles(), cloth(), contact(), surfaceContact({ maxSpeed: 5 })]);
 * const sheet = addCloth(scene, plane({ size: [1, 1], segments: [20, 20] }), { mu: 300, lambda: 400, density: 0.2 });
 * for (const particle of sheet.particles)
 *   scene.attach(particle, contactOf(Particle), { ke: 50, kd: 0.01, kf: 0.05, mu: 0.3, thickness: 0.015 });
 * ```
 * @throws when an option is out of its range.
 */
export function surfaceContact(options: SurfaceContactOptions): Plugin {
  refuseUnknownOptions<SurfaceContactOptions>('surfaceContact', options, OPTIONS);
  const { maxSpeed, refresh = 16, neighbours = 48, components } = options;
  if (flawOf(maxSpeed, { scalar: 'f32', range: 'positive' }))
    throw new GradsimError('contact/option-out-of-range', `surfaceContact: maxSpeed is ${describeValue(maxSpeed)}.`, {
      field: 'maxSpeed',
      hint: 'It must be a speed above 0 m/s.',
    });
  if (!Number.isInteger(refresh) || refresh < 1)
    throw new GradsimError('contact/option-out-of-range', `surfaceContact: refresh is ${describeValue(refresh)}.`, {
      field: 'refresh',
      hint: 'It must be a whole number of at least 1.',
    });
  if (!Number.isInteger(neighbours) || neighbours < 1 || neighbours > MAX_NEIGHBOURS)
    throw new GradsimError(
      'contact/option-out-of-range',
      `surfaceContact: neighbours is ${describeValue(neighbours)}.`,
      {
        field: 'neighbours',
        hint: `It must be a whole number from 1 to ${MAX_NEIGHBOURS}. Where more are near, make thickness, maxSpeed or refresh smaller.`,
      },
    );
  refuseWrongType(
    'surfaceContact: components',
    components,
    'a list of components',
    components === undefined || Array.isArray(components),
  );
  return definePlugin({
    name: '@gradsim/contact/surfaces',
    contract: 1,
    requires: ['@gradsim/contact'],
    takes: [Surfaces, PointsThatTouch],
    build: (context) => {
      for (const points of touchingPoints(context, components)) add(context, points, { maxSpeed, refresh, neighbours });
    },
  });
}

/**
 * Maximum capacity of a neighbour list, in entries: a kernel invocation keeps the list in its own memory while building
 * it.
 */
const MAX_NEIGHBOURS = 250;
/** Maximum number of entries of all neighbour lists together: each takes several words of memory. */
const MAX_PLACES = 1e8;

/**
 * Returns the offered points with contact whose surfaces are to touch.
 * @throws when no plugin offers points, or those of a component in `components`; and when `components` is not given and points of
 * several components have contact.
 */
function touchingPoints(context: BuildContext, of: readonly Component[] | undefined): readonly PointsThatTouch[] {
  const all = context.model.offered(PointsThatTouch);
  const names = (some: readonly PointsThatTouch[]): string => some.map(({ component }) => component.name).join(', ');
  const strange = of?.find((component) => !all.some((points) => points.component === component));
  if (strange !== undefined || all.length === 0)
    throw new GradsimError(
      'contact/nothing-offered',
      `surfaceContact: no plugin offers ${strange === undefined ? 'any' : (strange?.name ?? describeValue(strange))} as ${PointsThatTouch.name}; ${strange !== undefined ? `those offered are ${names(all)}` : 'register @gradsim/particles, say'}.`,
    );
  const touching = all.filter(({ component }) => hasContactByElement(context, component).includes(true));
  if (of) return touching.filter(({ component }) => of.includes(component));
  if (touching.length > 1)
    throw new GradsimError(
      'contact/mixed-components',
      `surfaceContact: ${names(touching)} have contact, and points touch surfaces between points of their own component alone.`,
      { hint: 'Name those that shall in `components`; others pass through their surfaces.' },
    );
  return touching;
}

function add(context: BuildContext, points: PointsThatTouch, limits: Limits): void {
  const { model } = context;
  addStiffnessOfSurfaces(model, points);
  const surfaces = touchingSurfaces(context, points);
  const triangles = surfaces.corners.length / 3;
  if (triangles === 0) return;
  const { maxSpeed, refresh, neighbours: room } = limits;
  const places = (2 * surfaces.piece.length + triangles) * room;
  if (places > MAX_PLACES)
    throw new GradsimError(
      'contact/too-many-places',
      `surfaceContact: neighbours is ${room}, which for ${surfaces.piece.length} ${points.component.name} and ${triangles} triangles makes ${places} places; at most ${MAX_PLACES} can be held.`,
      { field: 'neighbours', hint: 'Take fewer.' },
    );
  const fields = surfaceFields(points);
  const sizes = gridSizes(surfaces.piece.length, triangles);
  const margins = marginsOf(limits);
  const search: Search = { fields, sizes, room, margins, interval: intervalOf(model, points) };
  addFields(context, search, surfaces);
  addAlarms(context, search, maxSpeed);
  model.searchEvery(refresh);
  model.addPass('search', chunkReach(search));
  model.addPass('search', worldCellSize(search));
  model.addPass('search', bucketOfPoint(search));
  for (let level = 0; level < levelsOf(search); level++) model.addPass('search', mergeRuns(search, level));
  model.addPass('search', startOfBucket(search));
  model.addPass('search', pointsNearPoint(search));
  model.addPass('search', trianglesNearPoint(search));
  model.addPass('search', pointsNearTriangle(search));
  model.addPass('force', watchTravel(search));
  model.addPass('force', touchSurface(search));
  model.addPass('force', reactOnSurface(search));
}

function addFields(
  { model }: BuildContext,
  { fields, sizes, room }: Search,
  { corners, describe, ...each }: TouchingSurfaces,
): void {
  const { points, triangles, chunks, buckets } = sizes;
  model.addDomain(fields.vertices.domain, triangles, { describe });
  model.addDomain(fields.corner.domain, 3 * triangles);
  model.addDomain(fields.chunk.reach.domain, chunks);
  model.addDomain(fields.start.domain, buckets + 1);
  model.addDomain(fields.closePoint.domain, points * room);
  model.addDomain(fields.nearTriangle.domain, points * room);
  model.addDomain(fields.nearPoint.domain, triangles * room);
  model.addIndex(fields.vertices, corners);
  model.addIndex(fields.corner, corners);
  for (const name of ['piece', 'firstTriangle', 'triangleCount'] as const)
    model.addField(fields[name], { shared: true, values: each[name] });
}

function addAlarms({ model }: BuildContext, { fields, room }: Search, maxSpeed: number): void {
  for (const [alarm, others] of [
    [fields.crowded, 'triangles'],
    [fields.triangle.crowded, fields.points.component.name],
  ] as const) {
    model.addAlarm(
      alarm,
      ([found], element) =>
        `${element} has ${found} ${others} near it, and surfaceContact has room for ${room}; raise neighbours, or make thickness, maxSpeed or refresh smaller`,
    );
  }
  model.addAlarm(
    fields.strayed,
    ([travel, speed], point) =>
      `${point} has moved ${travel.toPrecision(3)} m since neighbours were last looked for, at ${speed.toPrecision(3)} m/s now: further than surfaceContact looks for a maxSpeed of ${maxSpeed} m/s, so contacts may be missed. Raise maxSpeed; where nothing should be as fast, the motion is unstable: raise \`substeps\``,
  );
}
