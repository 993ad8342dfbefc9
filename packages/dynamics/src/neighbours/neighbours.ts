import type { F32, FieldRef, IndexedField, Kernel, Model, Reader, U32, Value, ValueType, Vec3 } from '@gradsim/core';
import {
  describeValue,
  dot,
  f32,
  field,
  fieldOn,
  forRange,
  GradsimError,
  kernel,
  min,
  norm,
  refuseUnknownOptions,
  several,
  sumOver,
  u32,
  vec2,
  vec3,
  when,
} from '@gradsim/core';
import type { PointGrid } from './grid.ts';
import { bucketCount, bucketOfPoint, levelsOf, mergeRuns, startOfBucket } from './grid.ts';
import {
  append,
  elementsOf,
  emptyList,
  excessTravelRecord,
  forEachClosePoint,
  gridIn,
  type List,
  overflowRecord,
} from './lists.ts';
import { marginsOf, type SearchMargins } from './margins.ts';

/** Points that look for each other: a component with these columns, such as `Particle`. */
export interface NeighbourPoints<D extends string = string> {
  readonly domain: D;
  readonly position: FieldRef<ValueType<Vec3>, D>;
  readonly velocity: FieldRef<ValueType<Vec3>, D>;
}

export interface NeighbourOptions<D extends string = string> {
  readonly points: NeighbourPoints<D>;
  /** Distance up to which points are neighbours, m. */
  readonly distance: number;
  /** Capacity of a point's list, in entries; at most 250. A run in which a point has more ends in an error. */
  readonly capacity: number;
  /**
   * Maximum sustained speed of points, m/s: lists hold what two points of this speed can reach until the next search. A
   * run in which a point moves farther than that ends in an error.
   */
  readonly maxSpeed: number;
  /** Number of substeps between searches. Default 16. */
  readonly refresh?: number;
}
const OPTIONS = { points: true, distance: true, capacity: true, maxSpeed: true, refresh: true };

/** A neighbour, as the own element sees it. */
export interface Neighbour {
  /** Its index in the domain. */
  readonly index: U32;
  /** From the own element to it, m; `distance`: its length. */
  readonly offset: Vec3;
  readonly distance: F32;
}

/** Neighbours of the own element of a kernel. */
export interface NeighbourLoop {
  /** Sum of a value over the neighbours. */
  sum<V extends Value>(type: ValueType<V>, of: (near: Neighbour) => NoInfer<V>): V;
  /** Runs a function for each neighbour, which adds to fields. */
  forEach(visit: (near: Neighbour) => void): void;
}

/** Neighbour lists of a model, for kernels over the points' domain. */
export interface Neighbours<D extends string = string> {
  /** Fields that such a kernel reads besides its own. */
  readonly reads: {
    readonly listed: IndexedField<U32, `${D}Listed`>;
    readonly listFirst: FieldRef<typeof u32, D>;
    readonly listCount: FieldRef<typeof u32, D>;
    readonly listPosition: FieldRef<ValueType<Vec3>, D>;
  };
  /** Neighbours of the own element, from the fields that a kernel was given. */
  ofElement(fields: ListReaders): NeighbourLoop;
}

/** Maximum capacity of a list: an invocation keeps it in its own memory while building it. */
const MAX_CAPACITY = 250;

/** Fields of the lists of a domain's points. */
function fieldsOf<D extends string>({ domain, position, velocity }: NeighbourPoints<D>) {
  const named = <T extends ValueType>(name: string, type: T) => field(domain, name, type);
  const of = domain[0].toUpperCase() + domain.slice(1);
  return {
    points: { component: { domain } },
    position,
    velocity,
    touches: named('isListed', f32),
    world: { cell: field('world', `listCellOf${of}`, f32), perCell: field('world', `perListCellOf${of}`, f32) },
    runs: ['', '2'].map((n) => ({ bucket: named(`listBucket${n}`, u32), sorted: named(`listSorted${n}`, u32) })),
    start: field(`listBucketsOf${of}`, 'start', u32),
    near: field<typeof u32, `${D}Listed`, 'near'>(`${domain}Listed`, 'near', u32),
    first: named('listFirst', u32),
    count: named('listCount', u32),
    crowded: named('listCrowded', vec2),
    listedAt: named('listedAt', vec3),
    strayed: named('listStrayed', vec3),
  };
}
type Fields = ReturnType<typeof fieldsOf>;

/** Fields of a list, as a kernel function is given them. */
interface ListReaders {
  readonly listed: Reader<U32>;
  readonly listFirst: U32;
  readonly listCount: U32;
  readonly listPosition: Vec3;
}

/**
 * Adds lists of the points within a distance of each point, renewed every few substeps: a grid of cubes without bounds,
 * hashed, and both alarms, of lists that are too short and of points that are too fast. Call it in a plugin's `build`.
 *
 * ```ts
 * const near = neighbours(model, { points: Particle, distance: 0.1, capacity: 60, maxSpeed: 5 });
 * const crowd = kernel(
 *   'crowd',
 *   { domain: Particle, reads: { ...near.reads, mass: fieldOn(Particle.mass) }, writes: { density: f32 } },
 *   ({ mass, ...fields }) => ({
 *     density: near.ofElement(fields).sum(f32, ({ index, distance }) => mass.at(index).mul(weight(distance))),
 *   }),
 * );
 * ```
 *
 * A point is none of its own neighbours. Whether one is within the distance is looked at in the substep, so a sum is that
 * over all pairs; where it does not vanish at that distance it jumps there, and derivatives leave the jump out.
 * @throws when an option is out of its range.
 */
export function neighbours<D extends string>(model: Model, options: NeighbourOptions<D>): Neighbours<D> {
  refuseUnknownOptions<NeighbourOptions>('neighbours', options, OPTIONS);
  const { points: of, distance, capacity, maxSpeed, refresh = 16 } = options;
  for (const [name, value] of Object.entries({ distance, maxSpeed }))
    if (!(typeof value === 'number' && value > 0 && Number.isFinite(value)))
      refuse(name, value, 'It must be a number above 0.');
  if (!Number.isInteger(refresh) || refresh < 1) refuse('refresh', refresh, 'It must be a whole number of at least 1.');
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_CAPACITY)
    refuse(
      'capacity',
      capacity,
      `It must be a whole number from 1 to ${MAX_CAPACITY}. Where more are near, make distance or maxSpeed smaller.`,
    );
  for (const column of ['position', 'velocity'] as const) {
    const { key, type } = of[column];
    if (type.components !== 3)
      throw new GradsimError('base/wrong-type', `neighbours: ${key} is a ${type.typeName}.`, {
        field: key,
        hint: 'It takes a vec3; of points in a plane, z is 0.',
      });
  }
  const fields = fieldsOf(of);
  const points = model.domain(of.domain).size;
  const search: Search = {
    fields,
    sizes: { points, buckets: bucketCount(Math.max(points, 1)) },
    room: capacity,
    margins: marginsOf({ maxSpeed, refresh }),
    distance,
  };
  model.addDomain(fields.start.domain, search.sizes.buckets + 1);
  model.addDomain(fields.near.domain, points * capacity);
  model.addField(fields.touches, { shared: true, fill: 1 });
  model.addField(fields.first, { shared: true, values: Array.from({ length: points }, (_, k) => k * capacity) });
  if (points === 0) for (const made of [fields.near, fields.count]) model.addField(made);
  if (points > 0) addSearch(model, search, options);
  const { near, first, count, position } = fields;
  const reads = { listed: fieldOn(near), listFirst: first, listCount: count, listPosition: position };
  return { reads, ofElement: (given) => neighbourLoop(`neighbours of ${of.domain}`, given, distance) };
}

function addSearch(
  model: Model,
  search: Search,
  { distance, capacity, maxSpeed, refresh = 16 }: NeighbourOptions,
): void {
  const { fields } = search;
  model.addAlarm(
    fields.crowded,
    ([found], element) =>
      `${element} has ${found} others within ${distance} m and what they can move until the next search, and neighbours has room for ${capacity}; raise capacity, or make distance, maxSpeed or refresh smaller`,
  );
  model.addAlarm(
    fields.strayed,
    ([travel, speed], point) =>
      `${point} has moved ${travel.toPrecision(3)} m since neighbours were last looked for, at ${speed.toPrecision(3)} m/s now: further than a maxSpeed of ${maxSpeed} m/s allows for. Raise maxSpeed; where nothing should be as fast, the motion is unstable: raise \`substeps\``,
  );
  model.searchEvery(refresh);
  model.addPass('search', cellOfLists(search));
  model.addPass('search', bucketOfPoint(search));
  for (let level = 0; level < levelsOf(search); level++) model.addPass('search', mergeRuns(search, level));
  model.addPass('search', startOfBucket(search));
  model.addPass('search', listPoints(search));
  model.addPass('force', travelAlarm(search));
}

function refuse(name: string, value: unknown, hint: string): never {
  throw new GradsimError('dynamics/option-out-of-range', `neighbours: ${name} is ${describeValue(value)}.`, {
    field: name,
    hint,
  });
}

/** Runs what traces a loop, and says of an error with this code what the author of the loop wrote. */
function rephrased<T>(code: string, message: string, hint: string, trace: () => T): T {
  try {
    return trace();
  } catch (error) {
    if (!(error instanceof GradsimError) || error.code !== code) throw error;
    throw new GradsimError(code, message, { ...error.where, hint, cause: error });
  }
}

function neighbourLoop(name: string, given: ListReaders, within: number): NeighbourLoop {
  const { listed, listFirst, listCount, listPosition } = given;
  if (listed === undefined)
    throw new GradsimError('base/wrong-type', `${name}: the fields of its lists are not given.`, {
      hint: 'Have `...near.reads` among `reads` of the kernel, and give `ofElement` the fields of its function.',
    });
  /** The entry at a place, and whether it is within the distance. */
  const entryAt = (place: U32) => {
    const index = listed.at(place);
    const offset = listPosition.at(index).sub(listPosition);
    const point = (): Neighbour => ({ index, offset, distance: norm(offset) });
    return { isNear: dot(offset, offset).le(within * within), point };
  };
  const end = listFirst.add(listCount);
  return {
    sum: (type, of) => {
      if (typeof (type as unknown) !== 'function')
        throw new GradsimError('base/wrong-type', `${name}: sum is of ${describeValue(type)}.`, {
          hint: 'It takes one type, vec3 or f32, say; for sums of several use `forEach` with `add`.',
        });
      const zero = type as unknown as (...parts: readonly number[]) => ReturnType<typeof of>;
      const zeros = Array<number>(type.components).fill(0);
      const message = `${name}: sum is of ${type.typeName}, and its function gives something else.`;
      return rephrased('kernel/other-shape', message, `Give back a ${type.typeName}.`, () =>
        sumOver(listFirst, end, type, (place) => {
          const { isNear, point } = entryAt(place);
          return when(
            isNear,
            () => of(point()),
            () => zero(...zeros),
          );
        }),
      );
    },
    forEach: (visit) => {
      const message = `${name}: forEach adds to no field, so it does nothing.`;
      rephrased('kernel/nothing-given', message, 'For a value of the own element use `sum(vec3, ...)`.', () =>
        forRange(listFirst, end, {}, (place) => {
          const { isNear, point } = entryAt(place);
          when(isNear, () => visit(point()));
          return {};
        }),
      );
    },
  };
}

/** Parameters of the search of a domain's lists. */
interface Search extends PointGrid {
  readonly fields: Fields;
  /** Capacity of a list, in entries. */
  readonly room: number;
  readonly margins: SearchMargins;
  readonly distance: number;
}

/** Kernel over `world` that computes the edge length of a grid cell: the distance at which two points are listed, m. */
const cellOfLists = ({ fields: { world }, margins, distance }: Search): Kernel =>
  kernel('cellOfLists', { domain: 'world', writes: world }, (_, { longestDt }) => {
    const cell = margins.search(longestDt).add(distance);
    return { cell, perCell: f32(1).div(cell) };
  });

/** Kernel that lists the points near each point, and stores its position. */
function listPoints(search: Search): Kernel {
  const { fields, sizes, room } = search;
  const { count, crowded, listedAt, near } = fields;
  return kernel(
    'listPoints',
    {
      domain: fields.points.component,
      reads: { ...gridIn(search), crowded },
      writes: { near: several(near, room), count, listedAt, crowded },
    },
    (c, { element, substep }) => {
      const x = c.position.at(element);
      const keep = (point: U32, list: List): List =>
        when(
          point.ne(element),
          () => append(list, point, room),
          () => list,
        );
      const found = forEachClosePoint(c, sizes, x, emptyList(room), keep);
      return {
        near: elementsOf(found, room),
        count: min(found.count, u32(room)),
        listedAt: x,
        crowded: overflowRecord(found.count, room, c.crowded, substep),
      };
    },
  );
}

/** Kernel that raises an alarm for a point that has moved farther than its list allows for. */
function travelAlarm({ fields, margins }: Search): Kernel {
  const { points, position, velocity, listedAt, strayed } = fields;
  return kernel(
    'watchListed',
    { domain: points.component, reads: { position, velocity, listedAt, strayed }, writes: { strayed } },
    ({ position, velocity, listedAt, strayed }, { longestDt, substep }) => {
      const way = norm(position.sub(listedAt));
      return { strayed: excessTravelRecord(way, margins.travel(longestDt), velocity, strayed, substep) };
    },
  );
}
