import {
  Actuator,
  addLogCholesky,
  articulated,
  Constraint,
  controlSchedule,
  Link,
  Tie,
  ties,
} from '@gradsim/articulated';
import { addCloth, cloth } from '@gradsim/cloth';
import {
  ContactBox,
  ContactCapsule,
  ContactMesh,
  ContactSphere,
  contact,
  contactOf,
  HalfSpace,
  HalfSpaceMaterial,
  impactOf,
  impacts,
  surfaceContact,
} from '@gradsim/contact';
import {
  angleInput,
  averagePosition,
  controller,
  imageInput,
  productInput,
  strokeImageInput as seen,
  sinusoidInput,
} from '@gradsim/control';
import type { Entity, Plugin, Scene } from '@gradsim/core';
import { createScene, f32 } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { exposure, points, projectedOutline } from '@gradsim/film';
import { implicitSteps } from '@gradsim/implicit';
import { box, chain, plane, tetBox } from '@gradsim/mesh';
import {
  addPoints,
  ClayPoint,
  coverage,
  ElasticPoint,
  LiquidPoint,
  mpm,
  pointSurface,
  SandPoint,
  SnowPoint,
  wallOf,
} from '@gradsim/mpm';
import {
  classical,
  explicitSteps,
  Particle,
  ParticleDrag,
  ParticlePush,
  particles,
  RestPosition,
} from '@gradsim/particles';
import { HeldParticle, LedParticle, Marker, MarkerFrame, markers } from '@gradsim/recordings/markers';
import type { RenderOptions } from '@gradsim/render';
import { DirectionalLight, drawField, LookAtCamera, OrbitCamera, PinholeCamera, render } from '@gradsim/render';
import { dibr } from '@gradsim/render-dibr';
import { softRas } from '@gradsim/render-softras';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { addSmoke, SmokeCell, smoke } from '@gradsim/smoke';
import { addSprings, Spring, springs } from '@gradsim/springs';

const material = { ke: 100, kd: 1, kf: 1, mu: 0.5 };
const mesh = box({ size: [1, 1, 1] });

/** A scene with every kind of moving thing, with contact between all kinds that can have it. */
function physicsScene(): Scene {
  const scene = createScene([
    rigid(),
    articulated(),
    controlSchedule(),
    ties(),
    particles(),
    springs({ look: { radius: 0.01 } }),
    fem(),
    cloth(),
    contact({ bodies: { maxSpeed: 1 } }),
    impacts(),
    surfaceContact({ maxSpeed: 1 }),
    averagePosition(Particle.position),
    controller({
      inputs: [sinusoidInput({ frequency: 1 })],
      hidden: [2],
      every: 2,
      effort: true,
      drives: [{ field: Spring.actuation }],
    }),
    controller({
      name: 'pupil',
      inputs: [
        angleInput(Link.coordinate),
        productInput(sinusoidInput({ frequency: 1 }), imageInput({ width: 2, height: 2 })),
        seen({
          width: 2,
          height: 2,
          pixels: 1,
          waves: 1,
          elements: { angle: Link.coordinate },
          strokes: ({ angle }) => [{ from: [f32(0), f32(0)], to: [angle.at(0), f32(1)], radius: 0.1 }],
        }),
      ],
      drives: [{ field: Actuator.control }],
    }),
    controller({ name: 'teacher', teaches: 'pupil', inputs: [angleInput(Link.coordinate)] }),
  ]);
  const body = scene.add(Body, { mesh, mass: 1 });
  scene.add(BodyPush, { body, force: [1, 0, 0] });
  scene.attach(body, contactOf(Body), material);
  scene.attach(scene.add(Body, { mesh, mass: 1 }), impactOf(Body), { radius: 1 });
  scene.attach(scene.add(Body, { mesh, mass: 1 }), impactOf(Body), {});
  const inertia = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const base = scene.add(Link, { joint: 'free', mass: 1, inertia, mesh });
  const arm = scene.add(Link, { parent: base, joint: 'revolute', mass: 1, inertia });
  scene.add(Link, { parent: arm, joint: 'ball', mass: 1, inertia });
  addLogCholesky(scene, arm);
  scene.add(Actuator, { link: arm });
  scene.add(Constraint, { kind: 'gear', link: arm });
  scene.add(Tie, { kind: 'anchor', body: base, stiffness: 1 });
  scene.attach(base, contactOf(Link), material);
  const ground = scene.add(HalfSpace, {});
  scene.attach(ground, HalfSpaceMaterial, material);

  addSprings(scene, chain({ from: [0, 0, 0], to: [1, 0, 0], segments: 1 }), { mass: 1, stiffness: 1 });
  const arms = [{ ratio: 1, relaxationTime: 1 }];
  addSoftBody(scene, tetBox({ size: [1, 1, 1] }), { mu: 1, lambda: 1, density: 1, arms });
  addSoftBody(scene, tetBox({ size: [1, 1, 1] }), { elements: 'quadratic', mu: 1, lambda: 1, density: 1, arms });
  const sheet = addCloth(scene, plane({ size: [1, 1] }), {
    mu: 1,
    lambda: 1,
    density: 1,
    bendStiffness: 1,
  });
  for (const particle of sheet.particles) {
    scene.attach(particle, contactOf(Particle), { ...material, thickness: 0.01 });
    scene.attach(particle, RestPosition, { restPosition: [...scene.get(particle, Particle, 'position')] });
  }
  scene.add(ParticlePush, { particle: sheet.particles[0], force: [1, 0, 0] });
  scene.attach(sheet.particles[0], ParticleDrag, { quadraticDrag: 0.1 });
  // Shapes of a body, and shapes that stand in the world.
  const other = scene.add(Body, { mesh, mass: 1, position: [9, 0, 0] });
  const places = [{ body }, { body: other }, { position: [0, 9, 0] }] as const;
  for (const of of places as readonly {
    readonly body?: Entity;
    readonly position?: [number, number, number];
  }[]) {
    scene.add(ContactSphere, { ...of, ...material, radius: 1 });
    scene.add(ContactBox, { ...of, ...material, size: [1, 1, 1] });
    scene.add(ContactCapsule, { ...of, ...material, length: 1, radius: 1 });
    scene.add(ContactMesh, { ...of, ...material, mesh, resolution: 4 });
  }
  return scene;
}

/** A scene with one body in front of a camera. */
function picture(
  options: Omit<RenderOptions, 'width' | 'height'>,
  renderer: Plugin,
  look: (scene: Scene) => void,
): Scene {
  const scene = createScene([rigid(), render({ width: 16, height: 16, ...options }), renderer]);
  const uvs = Array.from({ length: 2 * mesh.triangles.length }, (_, k) => (k % 3) / 2);
  scene.add(Body, {
    mesh: { ...mesh, uvs, textures: [{ width: 2, height: 1, colors: Array<number>(6).fill(1) }] },
    mass: 1,
  });
  look(scene);
  return scene;
}

const pictures = (): Scene[] => [
  picture({}, softRas({ drawings: ['color', 'silhouette', 'depth', 'normal', 'face'] }), (scene) => {
    scene.add(OrbitCamera, { distance: 3 });
    scene.add(DirectionalLight, { direction: [0, 1, 0] });
  }),
  picture({ camera: LookAtCamera, colors: 'corner' }, softRas({ background: 'image' }), (scene) => {
    scene.add(LookAtCamera, { eye: [0, 0, 3] });
  }),
  picture({ camera: PinholeCamera }, softRas(), (scene) => {
    scene.add(PinholeCamera, { translation: [0, 0, 3], focalLength: [16, 16], principalPoint: [8, 8] });
  }),
  picture(
    { normals: 'vertex', shading: 'phong', harmonics: Array<number[]>(9).fill([0, 0, 0]) },
    dibr({ drawings: ['color', 'silhouette', 'depth', 'normal', 'face'] }),
    (scene) => {
      scene.add(OrbitCamera, { distance: 3 });
      scene.add(DirectionalLight, { direction: [0, 1, 0] });
    },
  ),
  picture({ mipMaps: true }, dibr({ background: 'image', compositing: 'coverage' }), (scene) => {
    scene.add(OrbitCamera, { distance: 3 });
  }),
];

/** A scene with a body whose outline is observed without rendering it, either as a ball's or as a mesh's. */
function outlineScene(ball?: { centre: typeof Body.position; radius: number }): Scene {
  const size = { width: 16, height: 16 };
  const scene = createScene([rigid(), projectedOutline({ ...size, camera: LookAtCamera, ...ball })]);
  scene.add(Body, { mesh, mass: 1 });
  scene.add(LookAtCamera, { eye: [0, 0, 3] });
  return scene;
}

/** A scene with particles integrated by implicit steps. */
function implicitScene(): Scene {
  const scene = createScene([particles(), implicitSteps()]);
  scene.add(Particle, { position: [0, 0, 0], mass: 1 });
  return scene;
}

/** A scene with particles integrated by a method of stages. */
function stagedScene(): Scene {
  const scene = createScene([particles(), explicitSteps(classical)]);
  scene.add(Particle, { position: [0, 0, 0], mass: 1 });
  return scene;
}

/** A scene with smoke, all of its options, and a drawing of it. */
function smokeScene(): Scene {
  const grid = { rows: 3, columns: 4 };
  const scene = createScene([smoke({ tolerance: 1e-5 }), drawField({ field: SmokeCell.density, ...grid })]);
  addSmoke(scene, { ...grid, inflow: Array.from({ length: 12 }, (_, k) => (k === 0 ? 1 : 0)) });
  return scene;
}

/** A scene with a material point of each kind. */
function materialScene(): Scene {
  const scene = createScene([mpm({ size: [8, 8], spacing: 1 }), coverage({ size: [8, 8], spacing: 1 })]);
  scene.attach(scene.add(HalfSpace, {}), wallOf(HalfSpace), { wallFriction: 0.1 });
  const point = { positions: [3, 3, 0], volume: 0.25, density: 1 };
  addPoints(scene, ElasticPoint, { ...point, youngsModulus: 1 });
  addPoints(scene, LiquidPoint, { ...point, bulkModulus: 1 });
  addPoints(scene, SandPoint, { ...point, youngsModulus: 1, frictionAngle: 0.5 });
  addPoints(scene, ClayPoint, { ...point, youngsModulus: 1, yieldStress: 0.1 });
  addPoints(scene, SnowPoint, { ...point, youngsModulus: 1 });
  return scene;
}

/** A scene of material points that renderers see by their surface. */
function materialSurface(): Scene {
  const nodes = { size: [8, 8, 8], spacing: 1 } as const;
  const scene = createScene([mpm(nodes), pointSurface(nodes)]);
  addPoints(scene, ElasticPoint, { positions: [3, 3, 3], volume: 0.125, density: 1, youngsModulus: 1 });
  return scene;
}

/** A scene with a body of which a point is tracked, averaged over the shutter's exposure. */
function followedPointsScene(): Scene {
  const size = { width: 16, height: 16 };
  const scene = createScene([
    rigid(),
    points({
      ...size,
      camera: LookAtCamera,
      position: Body.position,
      points: [{ element: 0 }],
      exposure: { frameRate: 30 },
    }),
  ]);
  scene.add(Body, { mesh, mass: 1 });
  scene.add(LookAtCamera, { eye: [0, 0, 3] });
  return scene;
}

/** A scene with pictures averaged over the shutter's exposure. */
function exposureScene(): Scene {
  const scene = createScene([
    rigid(),
    render({ width: 16, height: 16 }),
    softRas({ drawings: ['color'] }),
    exposure({ by: 'colours', instants: 2, frameRate: 30 }),
  ]);
  scene.add(Body, { mesh, mass: 1 });
  scene.add(OrbitCamera, { distance: 3 });
  return scene;
}

/** A scene with markers on a soft body that is let go. */
function markerScene(): Scene {
  const scene = createScene([particles(), fem(), markers()]);
  const body = addSoftBody(scene, tetBox({ size: [1, 1, 1] }), { elements: 'quadratic', mu: 1, lambda: 1, density: 1 });
  const frame = scene.add(MarkerFrame, {});
  scene.add(Marker, { nodes: body.particles.slice(0, 10), frame, place: [0, 0, 0] });
  for (const particle of body.particles) scene.add(HeldParticle, { particle, frame });
  scene.add(LedParticle, { particle: body.particles[0], frame, grip: 1 });
  return scene;
}

/** Small scenes that together use every plugin and every component of the packages. */
export const scenes = (): Scene[] => [
  ...[physicsScene(), ...pictures()],
  ...[outlineScene({ centre: Body.position, radius: 0.1 }), outlineScene()],
  ...[
    followedPointsScene(),
    exposureScene(),
    smokeScene(),
    materialScene(),
    materialSurface(),
    implicitScene(),
    stagedScene(),
    markerScene(),
  ],
];
