import { normalize, randomNumbers, standardNormal, type Vector } from '@gradsim/base';
import { buildModel, createScene, type Device, recordOf } from '@gradsim/core';
import { massProperties, pointMassProperties } from '@gradsim/mesh';
import { assess, infer, type Problem, search } from '@gradsim/optim';
import { DirectionalLight, fromRows, layoutOf, OrbitCamera, render } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { castPicture, type Look, orbitViewpoint } from './ray-caster.ts';
import { RENDERERS } from './renderers.ts';
import { SHAPES } from './shapes.ts';

/** Width and height of the picture, px, and the rays along each side of a pixel. */
const [SIZE, SAMPLES] = [64, 16];
/** Vertical angle of view, rad. */
const FIELD_OF_VIEW = 0.6;
const [AMBIENT, DIFFUSE] = [0.3, 0.7];
const STILL_TIMELINE = { frames: 1, frameRate: 1, substeps: 1 } as const;
/** Error of an estimate, in standard errors without departures, from which on it counts as wrong. */
const MIN_WRONG_ERROR = 4;

export interface Trial {
  readonly renderer: string;
  readonly shape: string;
  /** Compared picture: the share of each pixel that is covered, or colours. */
  readonly by: 'alpha' | 'rgba';
  readonly noise: number;
  readonly seed: number;
  /** True if the renderer takes the picture itself, false if rays are cast. */
  readonly isOwn: boolean;
}

/** Outcome of a trial. Errors are in standard errors, of the unknown with the largest one. */
export interface Outcome {
  readonly trusted: boolean;
  readonly findings: readonly string[];
  /** Error in the stated standard errors; `plain`: in those without what departures add. */
  readonly bars: number;
  readonly plain: number;
  readonly isWrong: boolean;
  /** Relative error of the distance. */
  readonly distance: number;
}

/** Estimates where a camera stands from one picture with noise, rounded to 8 bits. */
export async function runTrial({ renderer, shape, by, noise, seed, isOwn }: Trial, device: Device): Promise<Outcome> {
  const random = randomNumbers(seed);
  const between = (low: number, high: number): number => low + (high - low) * random();
  const { mesh, angles, isOpen = false } = SHAPES[shape];
  const orbit = { distance: between(1.8, 2.8), elevation: between(0.25, 0.9), azimuth: between(-0.6, 0.6) };
  const target: Vector = [between(-0.05, 0.05), between(-0.05, 0.05), 0];
  const albedo: Vector = [between(0.4, 0.9), between(0.4, 0.9), between(0.4, 0.9)];
  const background: Vector = [between(0, 0.3), between(0, 0.3), between(0, 0.3)];
  const light = normalize([between(-1, 1), between(0.5, 1), between(0.3, 1)]);
  const look: Look = { albedo, background, ambient: AMBIENT, diffuse: DIFFUSE, light, twoSided: isOpen };
  const scene = createScene([
    rigid(),
    render({ width: SIZE, height: SIZE, twoSided: isOpen, ambient: [AMBIENT, AMBIENT, AMBIENT] }),
    RENDERERS[renderer]({ backgroundColor: background, drawings: by === 'alpha' ? ['silhouette'] : ['color'] }),
  ]);
  scene.add(Body, {
    mesh: { ...mesh, colors: mesh.positions.map((_, k) => albedo[k % 3]) },
    mass: 1,
    position: (isOpen ? pointMassProperties : massProperties)(mesh, { mass: 1 }).centerOfMass,
    ...(isOpen && { filling: 'points' }),
  });
  scene.add(OrbitCamera, { target, ...orbit, fieldOfView: FIELD_OF_VIEW });
  if (by === 'rgba') scene.add(DirectionalLight, { direction: light, color: [DIFFUSE, DIFFUSE, DIFFUSE] });
  const model = buildModel(scene);
  const field = `pixels.${by}`;
  const channels = by === 'alpha' ? 1 : 4;
  const clean = isOwn
    ? await recordOf(model, field, { device, ...STILL_TIMELINE })
    : fromRows(
        layoutOf(model),
        castPicture(mesh, look, orbitViewpoint(target, orbit, FIELD_OF_VIEW), SIZE, SAMPLES).filter(
          (_, k) => by === 'rgba' || k % 4 === 3,
        ),
        channels,
      );
  const seen = Float64Array.from(clean, (value) => Math.round(255 * (value + noise * standardNormal(random))) / 255);
  const weights = by === 'rgba' ? { weights: [1, 1, 1, 0] } : {};
  const problem: Problem = {
    model,
    ...STILL_TIMELINE,
    parameters: [
      {
        name: 'distance',
        field: OrbitCamera.distance,
        initial: orbit.distance * between(0.96, 1.04),
        transform: 'log',
      },
      ...angles.map((name) => ({ name, field: OrbitCamera[name], initial: orbit[name] + between(-0.06, 0.06) })),
      ...['x', 'y'].map((name, component) => ({
        name,
        field: OrbitCamera.target,
        component,
        initial: target[component] + between(-0.03, 0.03),
      })),
    ],
    observations: [{ field, target: seen, ...weights }],
  };
  const posterior = await infer(problem, await search(problem, { device }), { device });
  const { trusted, findings } = assess(problem, posterior);
  const { names, values, uncertainty } = posterior;
  const truth: Readonly<Record<string, number>> = { ...orbit, x: target[0], y: target[1] };
  const { standardErrors, deviations, inverse } = uncertainty!;
  const errors = names.map((name, i) => Math.abs(values[i] - truth[name]) / standardErrors[i]);
  const plain = Math.max(...errors.map((e, i) => (e * deviations[i]) / Math.sqrt(inverse[i * (names.length + 1)])));
  return {
    trusted,
    findings: findings.filter(({ isCritical }) => isCritical).map(({ note }) => note),
    bars: Math.max(...errors),
    plain,
    isWrong: plain > MIN_WRONG_ERROR,
    distance: values[0] / truth.distance - 1,
  };
}
