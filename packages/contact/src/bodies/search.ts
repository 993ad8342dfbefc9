import type { Kernel, U32 } from '@gradsim/core';
import { f32, forRange, kernel, max, min, norm, select, several, u32, when } from '@gradsim/core';
import {
  append,
  elementsOf,
  emptyList,
  excessTravelRecord,
  forEachClosePoint,
  gridIn,
  type List,
  overflowRecord,
  type SearchMargins,
} from '@gradsim/dynamics/internal';
import { readsOnElements } from '../fields.ts';
import { CONTACT_SHAPES, placedShape, search } from './fields.ts';

/** Parameters of the search for neighbouring shapes. */
export interface ShapeSearch {
  readonly fields: typeof search;
  readonly sizes: { readonly points: number; readonly buckets: number };
  /** Capacity of a shape's neighbour list, in entries. */
  readonly room: number;
  readonly margins: SearchMargins;
}

/**
 * Kernel over `world` that computes the edge length of a grid cell: the largest distance between the positions of two
 * shapes at which they can be neighbours, m.
 */
export function cubeOfShapes({ sizes: { points }, margins }: ShapeSearch): Kernel {
  return kernel(
    'cubeOfShapes',
    {
      domain: 'world',
      reads: readsOnElements({ reach: search.reach, touches: search.touches }),
      writes: search.world,
    },
    ({ reach, touches }, { longestDt }) => {
      const { most } = forRange(0, points, { most: f32(0) }, (k, before) => ({
        most: max(before.most, reach.at(k).mul(touches.at(k))),
      }));
      const cell = most.mul(2).add(margins.search(longestDt));
      return { cell, perCell: f32(1).div(cell) };
    },
  );
}

/**
 * Kernel that lists, for each shape, the shapes of larger index that it may touch until the next search, and stores its
 * position.
 */
export function shapesNear(shapes: ShapeSearch): Kernel {
  const { sizes, room, margins } = shapes;
  const { touches, body, firstApart, apartCount, apart, near, nearCount, searchedAt, crowded } = search;
  return kernel(
    'contactShapesNear',
    {
      domain: CONTACT_SHAPES,
      reads: {
        ...gridIn(shapes),
        ...readsOnElements({ reach: search.reach, body, apart }),
        touches,
        firstApart,
        apartCount,
        crowded,
      },
      writes: { near: several(near, room), nearCount, searchedAt, crowded },
    },
    (c, { element, longestDt, substep }) => {
      const x = c.position.at(element);
      const [reach, ownBody] = [c.reach.at(element).add(margins.search(longestDt)), c.body.at(element)];
      const isApart = (other: U32) =>
        forRange(0, c.apartCount, { found: f32(0) }, (k, before) => ({
          found: select(c.apart.at(c.firstApart.add(k)).eq(other), f32(1), before.found),
        })).found.gt(0);
      const keep = (other: U32, list: List): List =>
        when(
          norm(c.position.at(other).sub(x))
            .lt(reach.add(c.reach.at(other)))
            .and(other.gt(element)),
          () => {
            const otherBody = c.body.at(other);
            return when(
              otherBody.eq(ownBody).or(isApart(otherBody)),
              () => list,
              () => append(list, other, room),
            );
          },
          () => list,
        );
      const found = when(
        c.touches.gt(0),
        () => forEachClosePoint(c, sizes, x, emptyList(room), keep),
        () => emptyList(room),
      );
      return {
        near: elementsOf(found, room),
        nearCount: min(found.count, u32(room)),
        searchedAt: x,
        crowded: overflowRecord(found.count, room, c.crowded, substep),
      };
    },
  );
}

/**
 * Kernel that raises an alarm for a shape that has moved further than the search allows for. As long as no shape has, pairs that are not listed cannot be in contact.
 */
export function watchShapes({ margins }: ShapeSearch): Kernel {
  const { searchedAt, touches, strayed } = search;
  return kernel(
    'watchShapes',
    {
      domain: CONTACT_SHAPES,
      reads: { x: placedShape.x, v: placedShape.v, searchedAt, touches, strayed },
      writes: { strayed },
    },
    ({ x, v, searchedAt, touches, strayed }, { longestDt, substep }) => {
      const way = norm(x.sub(searchedAt)).mul(touches);
      return { strayed: excessTravelRecord(way, margins.travel(longestDt), v, strayed, substep) };
    },
  );
}
