import type { BuildContext, Entity, Surface } from '@gradsim/core';
import { Surfaces } from '@gradsim/core';
import { BodiesThatTouch } from '@gradsim/dynamics';
import type { TriangleMesh } from '@gradsim/mesh';
import { Link } from './link.ts';
import { centreVertex, fromCentre, local, poseLink, vertexLink, vertexPosition } from './sweeps/place.ts';

/** Fields of a link's state within a substep that contact reads. */
export const CONTACT_STATE = [Link.centrePosition, Link.centreVelocity, Link.bodyOrientation, Link.bodyAngularVelocity];

const BODIES: BodiesThatTouch = {
  component: Link,
  position: Link.centrePosition,
  velocity: Link.centreVelocity,
  orientation: Link.bodyOrientation,
  angularVelocity: Link.bodyAngularVelocity,
  force: Link.force,
  torque: Link.torque,
  vertices: { body: vertexLink, local: fromCentre },
  joinedPairs: ({ scene, entities }) =>
    entities(Link).flatMap((link): [Entity, Entity][] => {
      const parent = scene.object(link, Link, 'parent') as Entity | undefined;
      return parent === undefined ? [] : [[parent, link]];
    }),
  meshOf: ({ scene }, link) => {
    const mesh = scene.object(link, Link, 'mesh') as TriangleMesh | undefined;
    if (!mesh) return undefined;
    const centre = scene.get(link, Link, 'centre');
    const positions = Float64Array.from(mesh.positions, (x, k) => x - centre[k % 3]);
    return { positions, triangles: Uint32Array.from(mesh.triangles) };
  },
};

/** Adds the domain of the vertices of all links' meshes, and offers the meshes to renderers and contact. */
export function addMeshes({ scene, model, entities }: BuildContext): void {
  const links = entities(Link);
  const owners: number[] = [];
  const places: number[] = [];
  const surfaces: Omit<Surface, 'position'>[] = [];
  links.forEach((entity, k) => {
    const mesh = scene.object(entity, Link, 'mesh') as TriangleMesh | undefined;
    if (!mesh) return;
    const first = owners.length;
    for (let v = 0; v < mesh.positions.length / 3; v++) owners.push(k);
    for (const x of mesh.positions) places.push(x);
    const { triangles, textures, triangleTextures, uvs } = mesh;
    surfaces.push({
      triangles: triangles.map((corner) => first + corner),
      textures,
      triangleTextures,
      uvs,
      name: scene.describe(entity),
      axes: { origin: Link.position, orientation: Link.worldOrientation, element: k, local },
      describe: () => `a triangle of ${scene.describe(entity)}`,
    });
  });
  const describe = (vertex: number): string => `a vertex of ${scene.describe(links[owners[vertex]])}`;
  model.offer(BodiesThatTouch, BODIES);
  model.addDomain('linkVertices', owners.length, { describe });
  model.addIndex(vertexLink, owners);
  model.addField(local, { values: places });
  if (owners.length > 0) {
    model.addPass('setup', centreVertex);
    model.addPass('pose', poseLink);
  }
  for (const surface of surfaces) model.offer(Surfaces, { position: vertexPosition, ...surface });
}
