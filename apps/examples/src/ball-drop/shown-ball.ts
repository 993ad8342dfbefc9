import type { BuildContext, Plugin } from '@gradsim/core';
import {
  bind,
  column,
  defineComponent,
  definePlugin,
  f32,
  index,
  kernel,
  on,
  reference,
  Surfaces,
  vec3,
} from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { cornersOf, icosphere, placeMesh, triangleArea, triangleCount } from '@gradsim/mesh';

/** A ball about a body's centre as it is seen: its radius can be estimated, which a mesh's cannot. */
export const ShownBall = defineComponent('shownBalls', {
  body: reference('bodies'),
  radius: column(f32, { unit: 'm', range: 'positive' }),
});

/** Where the ball's centre is in every frame, for observations of it. */
export const findCentre = kernel(
  'findCentre',
  {
    domain: 'shownBalls',
    reads: { body: index('bodies'), position: on('bodies', vec3) },
    writes: { centre: vec3 },
  },
  ({ body, position }) => ({ centre: position.at(body) }),
);

/** Points of the ball in the world. */
export const placeBall = kernel(
  'placeBall',
  {
    domain: 'ballVertices',
    reads: {
      ball: index('shownBalls'),
      body: index('bodies'),
      direction: vec3,
      radius: on('shownBalls', f32),
      centre: on('bodies', vec3),
    },
    writes: { position: vec3 },
  },
  ({ ball, body, direction, radius, centre }) => ({
    position: centre.at(body).add(direction.mul(radius.at(ball))),
  }),
);

/** Draws {@link ShownBall}s. */
export function shownBalls(subdivisions: number): Plugin {
  return definePlugin({
    name: 'ball-drop/shown-balls',
    contract: 1,
    requires: ['@gradsim/rigid'],
    components: [ShownBall],
    offers: [Surfaces],
    build: (context) => build(context, subdivisions),
  });
}

function build({ model }: BuildContext, subdivisions: number): void {
  const bodyOf = Array.from(model.field('shownBalls.body').values!);
  const { positions, triangles } = sphereOfSameOutline(subdivisions);
  const count = positions.length / 3;
  const vertices = bodyOf.flatMap((body, ball) => Array.from({ length: count }, () => ({ body, ball })));
  model.addDomain('ballVertices', vertices.length);
  model.addIndex(
    'ballVertices',
    'ball',
    'shownBalls',
    1,
    vertices.map((v) => v.ball),
  );
  model.addIndex(
    'ballVertices',
    'body',
    'bodies',
    1,
    vertices.map((v) => v.body),
  );
  model.addField('ballVertices', 'direction', vec3, { values: bodyOf.flatMap(() => Array.from(positions)) });
  const position = model.addField('ballVertices', 'position', vec3, { unit: 'm' });
  model.addField('shownBalls', 'centre', vec3, { unit: 'm' });
  model.addPass('pose', findCentre);
  model.addPass('pose', bind(placeBall, { centre: 'position' }));
  model.offer(Surfaces, {
    position,
    triangles: bodyOf.flatMap((_, ball) => Array.from(triangles, (corner) => ball * count + corner)),
  });
}

/**
 * A polyhedron that looks as large as the unit sphere. The mean area of a convex body's outlines is a quarter of its
 * surface (Cauchy), so the surfaces must be equal.
 */
function sphereOfSameOutline(subdivisions: number): TriangleMesh {
  const ball = icosphere({ radius: 1, subdivisions });
  let surface = 0;
  for (let t = 0; t < triangleCount(ball); t++) surface += triangleArea(cornersOf(ball, t));
  const scale = Math.sqrt((4 * Math.PI) / surface);
  return placeMesh(ball, { scale: [scale, scale, scale] });
}
