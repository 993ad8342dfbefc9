import type { BuildContext, Plugin, Surface } from '@gradsim/core';
import { bind, definePlugin, describeValue, GradsimError, refuseUnknownOptions, Surfaces } from '@gradsim/core';
import type { IntegratorOptions, LeapfrogMotion } from '@gradsim/dynamics';
import { addGravity, BodiesThatTouch, checkPush, Gravity, isOwnIntegrator } from '@gradsim/dynamics';
import type { TriangleMesh } from '@gradsim/mesh';
import { Body, BodyPush } from './body.ts';
import type { BodyShape } from './mass.ts';
import { bodyShape, gyrationOf, limitImplicitSpin, massOfBody, startOrientation } from './mass.ts';
import { BodyVertex, begun, centred, moveBody, moveBodyImplicitly, poseBody, pushBody } from './motion.ts';
import type { ShapeTriangles } from './shape.ts';
import { addMassFromShape } from './shape.ts';

/** Options of {@link rigid}. */
export interface RigidOptions extends IntegratorOptions {
  /**
   * True if centre of mass, inertia and, for bodies with a density, mass are recomputed from `bodyVertices.local`,
   * which may then be an unknown or be set. Default false: they stay those of the given mesh if its vertices change.
   */
  readonly massFromShape?: boolean;
  /**
   * True to take the gyroscopic term by the implicit midpoint rule, which keeps the energy and angular momentum of free
   * rotation; it limits the substep to a radian of rotation. Default false: by the angular velocity at the start of the
   * substep, which adds energy to bodies of three different moments, see `simulation.stableStep()`.
   */
  readonly implicitSpin?: boolean;
}

/**
 * Rigid bodies: mass properties, gravity, drag, pushes, Newton-Euler motion, and their meshes for renderers.
 *
 * ```ts
 * const scene = createScene([rigid()]);
 * scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), density: 500, position: [0, 1, 0] });
 * ```
 */
export function rigid(options: RigidOptions = {}): Plugin {
  refuseUnknownOptions<RigidOptions>('rigid', options, {
    integrator: 'semiImplicit',
    massFromShape: false,
    implicitSpin: false,
  });
  const { massFromShape = false, implicitSpin = false, ...others } = options;
  const components = [Body, BodyPush, Gravity];
  const isMoved = isOwnIntegrator('rigid', others);
  for (const [field, value] of Object.entries({ massFromShape, implicitSpin }))
    if (typeof value !== 'boolean')
      throw new GradsimError('rigid/option-out-of-range', `rigid: ${field} is ${describeValue(value)}.`, {
        field,
        hint: 'It must be true or false.',
      });
  if (implicitSpin && !isMoved)
    throw new GradsimError(
      'rigid/option-unused',
      "rigid: implicitSpin is true, and another plugin moves bodies (integrator 'none').",
      { field: 'implicitSpin', hint: 'Leave out one of them.' },
    );
  return definePlugin({
    name: '@gradsim/rigid',
    contract: 1,
    components,
    offers: [Surfaces, BodiesThatTouch],
    build: (context) => build(context, { isMoved, massFromShape, implicitSpin }),
  });
}

const OFFERED_BODIES: Omit<BodiesThatTouch, 'vertices'> = {
  component: Body,
  position: Body.position,
  velocity: Body.velocity,
  orientation: Body.orientation,
  angularVelocity: Body.angularVelocity,
  force: Body.force,
  torque: Body.torque,
  mass: Body.totalMass,
  meshOf: ({ scene }, body) => bodyShape(scene, body).mesh,
  gyrationOf: ({ scene }, body) => gyrationOf(scene, body),
};
const LEAPFROG_MOTION: LeapfrogMotion = {
  movedBy: moveBody.name,
  fixed: Body.fixed,
  inverseGyration: Body.inverseGyration,
  carries: {
    position: Body.positionCarry,
    velocity: Body.velocityCarry,
    orientation: Body.orientationCarry,
    angularVelocity: Body.angularVelocityCarry,
  },
};

const PUSHED_MOTION: LeapfrogMotion = { ...LEAPFROG_MOTION, begun };

function build(
  context: BuildContext,
  { isMoved, massFromShape, implicitSpin }: Record<'isMoved' | 'massFromShape' | 'implicitSpin', boolean>,
): void {
  const { scene, model, entities } = context;
  const bodies = entities(Body);
  const shapes = bodies.map((entity) => bodyShape(scene, entity));
  const pushes = entities(BodyPush);
  for (const entity of pushes) checkPush(scene, entity, BodyPush);
  addGravity(context);
  model.offer(BodiesThatTouch, {
    ...OFFERED_BODIES,
    vertices: { body: BodyVertex.body, local: massFromShape ? centred : BodyVertex.local },
    ...(isMoved ? { motion: pushes.length > 0 ? PUSHED_MOTION : LEAPFROG_MOTION } : {}),
  });
  addVertices(context, shapes);
  if (massFromShape) addMassFromShape(model, ...trianglesAndInertias(shapes));
  else {
    model.addField(Body.volume, { values: shapes.map((s) => s.volume) });
    model.addField(Body.inertiaPerMass, { values: shapes.flatMap((s) => Array.from(s.inertiaPerMass)) });
  }
  model.addPass('setup', startOrientation);
  model.addPass('setup', massOfBody);
  if (pushes.length > 0) {
    for (const sum of Object.values(begun)) model.addAccumulator(sum);
    model.addPass('force', pushBody());
  }
  if (isMoved) {
    model.addField(Body.positionCarry, { fill: 0, carryOf: Body.position });
    model.addField(Body.velocityCarry, { fill: 0, carryOf: Body.velocity });
    model.addField(Body.angularVelocityCarry, { fill: 0, carryOf: Body.angularVelocity });
    model.addField(Body.orientationCarry, { fill: 0 });
    model.addPass('integrate', implicitSpin ? moveBodyImplicitly() : moveBody);
    if (implicitSpin) model.addPass('setup', limitImplicitSpin());
    model.addStepLimit(Body.spinRate, [], implicitSpin ? 'a slower spin' : '`rigid({ implicitSpin: true })`');
  }
  model.addPass('pose', massFromShape ? bind(poseBody, { local: 'centred' }) : poseBody);
}

/**
 * Returns the triangles of the solids whose mass properties follow their vertices, and, for the other bodies, the
 * inertia over mass, m^2.
 */
function trianglesAndInertias(shapes: readonly BodyShape[]): [ShapeTriangles, number[]] {
  const corners: number[] = [];
  const bodies: number[] = [];
  let first = 0;
  shapes.forEach(({ mesh, isSolid }, b) => {
    if (!mesh) return;
    if (isSolid) {
      for (const corner of mesh.triangles) corners.push(first + corner);
      for (let t = 0; t < mesh.triangles.length / 3; t++) bodies.push(b);
    }
    first += mesh.positions.length / 3;
  });
  const inertias = shapes.flatMap(({ isSolid, inertiaPerMass }) =>
    isSolid ? Array<number>(9).fill(0) : Array.from(inertiaPerMass),
  );
  return [{ corners, bodies }, inertias];
}

/** Adds the domain `bodyVertices`: the vertices of all meshes, in body axes from the centre of mass. */
function addVertices({ scene, model, entities }: BuildContext, shapes: readonly BodyShape[]): void {
  const body: number[] = [];
  const local: number[] = [];
  const surfaces: Omit<Surface, 'position'>[] = [];
  shapes.forEach(({ mesh }, b) => {
    if (!mesh) return;
    const first = body.length;
    for (let v = 0; v < mesh.positions.length / 3; v++) body.push(b);
    for (const x of mesh.positions) local.push(x);
    const { triangles, textures, triangleTextures, uvs } = mesh;
    surfaces.push({
      triangles: triangles.map((corner) => first + corner),
      triangleColors: Array.from({ length: triangles.length / 3 }, (_, t) => triangleColor(mesh, t)).flat(),
      textures,
      triangleTextures,
      uvs,
      name: scene.describe(entities(Body)[b]),
      axes: { origin: Body.position, orientation: Body.orientation, element: b, local: BodyVertex.local },
      describe: () => `a triangle of ${scene.describe(entities(Body)[b])}`,
    });
  });
  const describe = (vertex: number): string => `a vertex of ${scene.describe(entities(Body)[body[vertex]])}`;
  model.addDomain('bodyVertices', body.length, { describe });
  model.addIndex(BodyVertex.body, body);
  model.addField(BodyVertex.local, { values: local });
  for (const surface of surfaces) model.offer(Surfaces, { position: BodyVertex.position, ...surface });
}

const GREY = [0.75, 0.75, 0.75];
/** White, red, green, blue: as a factor, it leaves the colours of a texture unchanged. */
const WHITE = [1, 1, 1];

/** Returns a triangle's colour, red, green, blue in [0, 1]: its own, or the mean of its vertices' colours. */
function triangleColor(mesh: TriangleMesh, t: number): number[] {
  const { colors, colorsOn = 'vertices', triangles, textures } = mesh;
  if (!colors) return textures?.length ? WHITE : GREY;
  if (colorsOn === 'triangles') return [...colors.subarray(t * 3, t * 3 + 3)];
  const corners = [0, 1, 2].map((k) => triangles[t * 3 + k]);
  return [0, 1, 2].map((channel) => corners.reduce((sum, v) => sum + colors[v * 3 + channel] / 3, 0));
}
