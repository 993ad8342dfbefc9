import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { icosphere, massProperties, SignedDistance, signedVolume } from '@gradsim/mesh';
import type { ExperimentContext, Stage } from '@gradsim/optim';
import { defineExperiment, smoothModes } from '@gradsim/optim';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { meshFrom } from './appearance/meshes.ts';
import { filmOf } from './scenes/film-of.ts';
import type { SceneRenderer } from './scenes/renderers.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';
import { PUSH_SECONDS } from './scenes/tossed.ts';
import { filmStrip } from './soft/film.ts';

const SETTINGS = ['renderer', 'mesh', 'size', 'functions', 'iterations'];
const TIMELINE = { frames: 24, frameRate: 30, substeps: 16 } as const;
/** The mass of what is filmed, kg, and where the estimate starts. */
const MASS = 1.7;
const START = 0.6;
const RADIUS = 0.4;
/**
 * Known beforehand of the amounts, m. It keeps a shape that has nearly no picture from turning inside out, and has no weight
 * beside a film that fits.
 */
const PRIOR = { mean: 0, standardDeviation: 0.1 };
/** What the true shape is made of, m: amounts of modes along x, y and z of one function after another. */
const SHAPE = [0.09, -0.01, 0.02, 0.01, -0.06, 0.03, -0.02, 0.01, -0.05, 0.02, 0.015, -0.01];

/**
 * Shape and mass of a body from one video, from a ball of another mass on. It turns, so that all of it comes into view, and
 * is pushed off its centre with a known impulse, which tells its mass; inertia and centre of mass follow from the shape.
 * Unknown are the mass and the amounts of smooth modes of the vertices, those that move the whole ball left out: where
 * the centre of mass begins is known. Settings: `mesh`, the file of a shape to film (default one that the modes can
 * make), brought to the size of the ball; `functions`, how many functions over the surface make modes, three each (5 with
 * the one that is left out); `size` of the pictures, `iterations`, `renderer`.
 */
export default defineExperiment({
  name: 'shape-and-mass',
  description: 'Shape and mass of a turning body that is pushed, from one video, from a ball on.',
  stages: async (context) => [await stage(context)],
});

async function stage({ settings, device }: ExperimentContext): Promise<Stage> {
  refuseUnknownSettings('shape-and-mass', settings, SETTINGS);
  const whole = (name: string, otherwise: number, least = 1): number =>
    numberSetting(settings, name, { otherwise, least, whole: true });
  const renderer = await rendererOf(settings.renderer);
  const size = whole('size', 48);
  const ball = icosphere({ radius: RADIUS, subdivisions: 1 });
  const modes = smoothModes(ball.triangles, { count: whole('functions', 5, 2) }).slice(3);
  const target = settings.mesh ? scaled(await meshFrom(settings.mesh), RADIUS) : moved(ball, modes);
  const film = tumblingModel(target, MASS, { renderer, size });
  const observation = { field: 'pixels.rgba', target: await filmOf(film, TIMELINE, device) };
  const model = tumblingModel(ball, START, { renderer, size });
  return {
    name: 'shape and mass',
    problem: {
      model,
      ...TIMELINE,
      observations: [observation],
      parameters: [
        {
          name: 'mass',
          field: Body.mass,
          transform: 'log',
          range: [0.2, 10],
          initial: START,
          unit: 'kg',
          truth: MASS,
        },
      ],
      arrays: [
        {
          name: 'shape',
          field: 'bodyVertices.local',
          modes,
          initial: 0,
          scale: 0.05,
          unit: 'm',
          range: [-0.2, 0.2],
          prior: PRIOR,
        },
      ],
      options: {
        method: 'levenberg-marquardt',
        iterations: whole('iterations', 40),
        horizons: [0.1, 0.4, 1],
      },
    },
    strip: (found) => filmStrip(model, TIMELINE.frames, observation.target, found.predicted['pixels.rgba']),
    notes: (found) => [shapeNote(target, moved(ball, modes, found.arrays.shape.estimate))],
  };
}

/** The ball with modes added to its vertices, by the amounts of the true shape or others. */
function moved(
  ball: TriangleMesh,
  modes: readonly ArrayLike<number>[],
  amounts: ArrayLike<number> = SHAPE,
): TriangleMesh {
  const positions = ball.positions.map((x, k) => modes.reduce((sum, mode, m) => sum + (amounts[m] ?? 0) * mode[k], x));
  return { ...ball, positions, name: 'the shape' };
}

const scaled = (mesh: TriangleMesh, half: number): TriangleMesh => ({
  ...mesh,
  positions: mesh.positions.map((x) => x * half),
});

/** How far the found shape is off, both about their centres of mass, as bodies are. */
function shapeNote(target: TriangleMesh, found: TriangleMesh): string {
  if (!(signedVolume(found) > 0))
    return 'The shape that was found is turned inside out, which no body is: the search has gone astray, and so has the mass.';
  const [own, other] = [found, target].map((mesh) => massProperties(mesh, { mass: 1 }).centerOfMass);
  const surface = new SignedDistance(target);
  let sum = 0;
  for (let k = 0; k < found.positions.length; k += 3)
    sum += Math.abs(surface.at([0, 1, 2].map((c) => found.positions[k + c] - own[c] + other[c])));
  const distance = (3 * sum) / found.positions.length;
  return `Mean distance of the vertices from the true surface: ${distance.toExponential(2)} m.`;
}

/** A body that turns in the air and is pushed at a point beside its centre. */
function tumblingModel(
  { positions, triangles, name }: TriangleMesh,
  mass: number,
  { renderer, size }: { readonly renderer: SceneRenderer; readonly size: number },
): Model {
  const scene = createScene([
    rigid({ massFromShape: true }),
    render({ width: size, height: size, normals: 'vertex' }),
    renderer({ softness: (1.5 / size) ** 2, depthSoftness: 1e-3, near: 1, far: 20 }),
  ]);
  const body = scene.add(Body, {
    mesh: { positions, triangles, name },
    mass,
    position: [-0.6, 1.3, 0],
    velocity: [0.3, 1.5, 0],
    angularVelocity: [2, 4, 1],
  });
  const impulse = [1, 1.5, 0.2];
  scene.add(BodyPush, {
    body,
    force: impulse.map((j) => j / PUSH_SECONDS),
    point: [0.05, 0.02, 0.1],
    start: 0,
    end: PUSH_SECONDS,
  });
  scene.add(OrbitCamera, {
    target: [0, 1.1, 0],
    distance: 5,
    elevation: 0.2,
    azimuth: 0.3,
    fieldOfView: 0.6,
  });
  scene.add(DirectionalLight, { direction: [0.5, 1, 0.7], color: [0.7, 0.7, 0.7] });
  return buildModel(scene);
}
