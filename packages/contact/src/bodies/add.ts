import type { BuildContext, Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { BodiesThatTouch, intervalOf } from '@gradsim/dynamics';
import { bucketOfPoint, levelsOf, marginsOf, mergeRuns, startOfBucket } from '@gradsim/dynamics/internal';
import { addPairs } from '../pairs.ts';
import { SHAPES } from '../shapes/list.ts';
import type { Shape } from '../shapes/shape.ts';
import {
  CONTACT_SHAPES,
  corner,
  edge,
  fixedPairs,
  force,
  placedShape,
  search,
  shapeConstants,
  torque,
} from './fields.ts';
import type { BodiesOnBodies } from './options.ts';
import { placeForSearch, placeInWorld, placeOnBodies, pushBodies, shapesInWorld, shapesOfBodies } from './place.ts';
import type { ShapeSearch } from './search.ts';
import { cubeOfShapes, shapesNear, watchShapes } from './search.ts';
import type { TouchingShape } from './shapes.ts';
import { bodiesApart } from './shapes.ts';
import { addSolidRates } from './stability.ts';
import { refuseOverlaps } from './start.ts';
import { contactOfFixedPairs, contactOfNeighbours } from './touch.ts';

const hasGrid = ({ shape }: TouchingShape): boolean => shape.solid.surface === 'sampled';

/** Maximum number of entries of all shapes' neighbour lists together: each takes several words of memory. */
const MAX_PLACES = 1e7;

/** Adds contact between shapes of different bodies, and between shapes of bodies and static shapes. */
export function addBodiesOnBodies(
  context: BuildContext,
  shapes: readonly TouchingShape[],
  options: Required<BodiesOnBodies>,
): void {
  const { model } = context;
  const { neighbours: room, maxSpeed, refresh } = options;
  const moving = shapes.filter(({ owner }) => owner);
  if (moving.length === 0) return;
  if (shapes.length * room > MAX_PLACES)
    throw new GradsimError(
      'contact/too-many-places',
      `contact: bodies.neighbours is ${room}, which for ${shapes.length} shapes makes ${shapes.length * room} places; at most ${MAX_PLACES} can be held.`,
      { field: 'bodies.neighbours', hint: 'Take fewer.' },
    );
  const apart = bodiesApart(context, options.excludedPairs);
  const isApart = (a: TouchingShape, b: TouchingShape): boolean => {
    const [one, other] = [apart.bodyOf(a), apart.bodyOf(b)];
    return one === other || (apart.others.get(one)?.has(other) ?? false);
  };
  refuseOverlaps(context, shapes, isApart);
  // Poses computed by other passes of a substep do not exist yet when neighbours are searched.
  const isSearched = ({ owner }: TouchingShape): boolean => owner !== undefined && isGiven(model, owner.bodies);
  addShapes(context, shapes, isSearched);
  addShapePlacement(context, shapes);
  const kinds = {
    meshes: shapes.some(hasGrid),
    interval: intervalOf(model),
    edges: shapes.filter(({ core }) => core.edges.length > 0).length > 1,
    counts: {
      shapes: shapes.length,
      corners: model.domain(corner.domain).size,
      edges: model.domain(edge.from.domain).size,
    },
  };

  const pairs = shapes.flatMap((one, i) =>
    shapes.flatMap((other, j) =>
      i < j && (one.owner || other.owner) && !(isSearched(one) && isSearched(other)) && !isApart(one, other)
        ? [[i, j]]
        : [],
    ),
  );
  if (pairs.length > 0) {
    model.addDomain(fixedPairs.one.domain, pairs.length);
    model.addIndex(
      fixedPairs.one,
      pairs.map(([i]) => i),
    );
    model.addIndex(
      fixedPairs.other,
      pairs.map(([, j]) => j),
    );
    model.addPass('force', contactOfFixedPairs(kinds));
  }

  const searched = shapes.filter(isSearched).length;
  if (searched > 1) {
    const lists = shapes.map((one) => [...(apart.others.get(apart.bodyOf(one)) ?? [])]);
    const found: ShapeSearch = {
      fields: search,
      sizes: { points: shapes.length, buckets: 2 ** Math.ceil(Math.log2(2 * shapes.length)) },
      room,
      margins: marginsOf(options),
    };
    const own = (field: (typeof search)['body'], values: readonly number[]) =>
      model.addField(field, { shared: true, values });
    own(
      search.body,
      shapes.map((one) => (one.owner ? apart.bodyOf(one) : 0)),
    );
    own(search.firstApart, prefixSums(lists));
    own(
      search.apartCount,
      lists.map(({ length }) => length),
    );
    const all = lists.flat();
    model.addDomain(search.apart.domain, Math.max(1, all.length));
    model.addField(search.apart, { shared: true, values: all.length > 0 ? all : [0] });
    for (const sized of SHAPES)
      for (const bodies of model.offered(BodiesThatTouch))
        if (shapes.some((one) => sized === one.shape && one.owner?.bodies === bodies && isSearched(one)))
          model.addPass('search', placeForSearch(sized, bodies));
    addSearch(context, found, maxSpeed);
    model.searchEvery(refresh);
    model.addPass('force', contactOfNeighbours(room, kinds));
  }
  addSolidRates(context, moving);
}

/**
 * Returns whether poses of bodies are states with initial values from the scene; otherwise passes of each substep
 * compute them.
 */
const isGiven = (model: Model, { position }: BodiesThatTouch): boolean => model.field(position).values !== undefined;

const prefixSums = (lists: readonly (readonly unknown[])[]): number[] => {
  let first = 0;
  return lists.map(({ length }) => {
    first += length;
    return first - length;
  });
};

function addShapes(
  { scene, model }: BuildContext,
  shapes: readonly TouchingShape[],
  isSearched: (shape: TouchingShape) => boolean,
): void {
  const corners = shapes.map(({ core }) => [...core.corners, ...(core.segmentPoints ?? [])]);
  const edges = shapes.map(({ core }) => core.edges);
  model.addDomain(CONTACT_SHAPES, shapes.length, { describe: (k) => scene.describe(shapes[k].entity) });
  const each: Readonly<Record<keyof typeof shapeConstants, readonly number[]>> = {
    kind: shapes.map(({ kind }) => kind),
    rounding: shapes.map(({ mesh, radius }) => (mesh ? radius : 0)),
    extent: shapes.flatMap(({ extent }) => extent),
    firstCorner: prefixSums(corners),
    cornerCount: shapes.map(({ core }) => core.corners.length),
    alongCount: shapes.map(({ core }) => core.segmentPoints?.length ?? 0),
    firstEdge: prefixSums(edges),
    edgeCount: edges.map(({ length }) => length),
    mesh: shapes.map((one) => (hasGrid(one) ? one.number : 0)),
  };
  for (const [name, values] of Object.entries(each))
    model.addField(shapeConstants[name as 'kind'], { shared: true, values });
  model.addField(search.touches, { shared: true, values: shapes.map((one) => Number(isSearched(one))) });
  const allCorners = corners.flat();
  model.addDomain(corner.domain, allCorners.length);
  model.addField(corner, { shared: true, values: allCorners.flat() });
  // A domain without elements could not be read.
  const all = edges.flat();
  model.addDomain(edge.from.domain, Math.max(1, all.length));
  const of = (field: (typeof edge)['from'], values: readonly number[]) =>
    model.addField(field, { shared: true, values: values.length > 0 ? values : [0, 0, 0] });
  of(
    edge.from,
    all.flatMap(({ ends }) => ends[0]),
  );
  of(
    edge.to,
    all.flatMap(({ ends }) => ends[1]),
  );
  of(
    edge.inward,
    all.flatMap(({ inward }) => inward[0]),
  );
  of(
    edge.otherInward,
    all.flatMap(({ inward }) => inward[1]),
  );
  for (const sum of [...Object.values(placedShape), force, torque]) model.addAccumulator(sum);
}

function addShapePlacement(context: BuildContext, shapes: readonly TouchingShape[]): void {
  const { model } = context;
  const shapesOf = (kind: Shape) =>
    shapes.flatMap(({ shape, owner, number }, solid) => (shape === kind ? [{ solid, shape: number, owner }] : []));
  for (const sized of SHAPES) {
    const all = shapesOf(sized);
    for (const bodies of model.offered(BodiesThatTouch)) {
      const rows = all.flatMap(({ solid, shape, owner }) =>
        owner?.bodies === bodies ? [{ solid, shape, body: owner.number }] : [],
      );
      if (rows.length === 0) continue;
      addPairs(model, shapesOfBodies(sized, bodies), rows, { force: () => placeOnBodies(sized, bodies) });
      model.addPass('force', pushBodies(sized, bodies));
    }
    const inWorld = all.filter(({ owner }) => !owner);
    addPairs(model, shapesInWorld(sized), inWorld, { force: () => placeInWorld(sized) });
  }
}

function addSearch({ model }: BuildContext, found: ShapeSearch, maxSpeed: number): void {
  const { room, sizes } = found;
  model.addDomain(search.near.domain, sizes.points * room);
  model.addDomain(search.start.domain, sizes.buckets + 1);
  for (const sum of [search.position, search.reach]) model.addAccumulator(sum);
  model.addAlarm(
    search.crowded,
    ([count], shape) =>
      `${shape} has ${count} others near it, and contact has room for ${room}; raise bodies.neighbours, or make maxSpeed or refresh smaller`,
  );
  model.addAlarm(
    search.strayed,
    ([travel, speed], shape) =>
      `${shape} has moved ${travel.toPrecision(3)} m since neighbours were last looked for, at ${speed.toPrecision(3)} m/s now: further than contact looks for a bodies.maxSpeed of ${maxSpeed} m/s, so contacts may be missed. Raise maxSpeed; where nothing should be as fast, the motion is unstable: raise \`substeps\``,
  );
  model.addPass('search', cubeOfShapes(found));
  model.addPass('search', bucketOfPoint(found));
  for (let level = 0; level < levelsOf(found); level++) model.addPass('search', mergeRuns(found, level));
  model.addPass('search', startOfBucket(found));
  model.addPass('search', shapesNear(found));
  model.addPass('force', watchShapes(found));
}
