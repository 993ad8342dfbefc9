import { buildModel, createScene, GradsimError } from '@gradsim/core';
import { addSoftBody, fem, quadraticMesh, stiffnessOf } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import {
  conjugate,
  cross,
  dot,
  mean,
  multiplyQuaternions,
  normalizeQuaternion,
  type Quaternion,
  rotate,
  subtract,
  type Vector,
  vectorAt,
  vectorOf,
} from '@gradsim/numeric';
import type { ParameterSpec, Problem, TieSpec } from '@gradsim/optim';
import { Gravity, particles } from '@gradsim/particles';
import { HeldParticle, Marker, MarkerFrame } from './marker.ts';
import { markers } from './plugin.ts';
import type { MarkerRecording } from './read-markers.ts';
import { registerMarkers } from './registration.ts';
import { findStart } from './release.ts';

/** A recording of a soft body that is held straight and let go. */
export interface HeldRecording {
  readonly recording: MarkerRecording;
  /** Load that hangs on the body: kg, at a point of the body at rest, m. */
  readonly load?: { readonly mass: number; readonly at: Vector };
  /** Frames compared, from the first that moves. */
  readonly frames: number;
}

/** Material that estimates start from, or that is known. */
export interface SoftMaterial {
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Viscosity of the dashpot over the shear modulus, s: its damping c is 3/4 mu times this, Pa s. */
  readonly dashpot: number;
  /** Shear modulus of a Maxwell arm over that of the body; 0 for none. */
  readonly armRatio: number;
  /** Relaxation time of that arm, s. */
  readonly relaxationTime: number;
  /** Poisson's ratio. */
  readonly poissonRatio: number;
}

/** Options of {@link softBodyMarkers}. */
export interface SoftBodyMarkersOptions {
  readonly mesh: TetMesh;
  /** Density, kg/m^3. */
  readonly density: number;
  /** True for vertices that the clamp holds. */
  readonly isClamped: (position: Vector) => boolean;
  /** Told places of markers on the body at rest, m, by name; other markers are ignored. */
  readonly places: Readonly<Record<string, Vector>>;
  /** Gravity in axes of the recordings, m/s^2. */
  readonly gravity: Vector;
  /** Values where the search starts. */
  readonly material: SoftMaterial;
  /** Names of material parameters that are unknown. Default: modulus, dashpot, and the arm's if its ratio is above 0. */
  readonly unknown?: readonly (keyof SoftMaterial)[];
  /** Substeps per second. The step counts as accepted: no warning says that it is above the conservative bound. */
  readonly substepRate: number;
  /** Standard deviations of what is told. */
  readonly tolerance?: Partial<Tolerance>;
  /** Error of the model where it fits, m: what residuals are weighed by. Default 0.5 mm. */
  readonly noise?: number;
}

/** Standard deviations of told quantities: places of markers, m, and directions, rad. */
interface Tolerance {
  readonly place: number;
  readonly turn: number;
  readonly gravity: number;
}

const TOLERANCE: Tolerance = { place: 0.003, turn: 0.03, gravity: 0.02 };
/**
 * Relaxation time of the arm that stands for the dashpot, s. Below 30 Hz it is Kelvin-Voigt damping within (omega tau)^2
 * = 1 %; explicit substeps need not resolve its viscosity, which grows with frequency without bound.
 */
export const DASHPOT_TIME = 5e-4;
/** Frames before the first that moves, with which a simulation begins. */
const LEAD = 4;

/** Unknowns of a recording's registration and release, by the number of the recording. */
const nameOf = (what: string, recording: MarkerRecording): string => `${what} of ${recording.name}`;

/** A problem of markers on soft bodies, and what its frames are. */
export interface SoftBodyMarkers {
  readonly problem: Problem;
  /** First frame of each recording that is frame 0 of the simulation. */
  readonly first: readonly number[];
  /** Target of the observation, [frame][recording and marker][component]. */
  readonly target: Float64Array;
  /** Number of the markers of all recordings together. */
  readonly markers: number;
  /** Places and gravity by an estimate, for recordings that are foretold: means over the recordings. */
  readonly told: (values: Readonly<Record<string, number>>) => Pick<SoftBodyMarkersOptions, 'places' | 'gravity'>;
}

/**
 * Makes one estimate of several recordings of a soft body that is held and let go: modulus and damping are shared,
 * registration, direction of gravity and instant of release are each recording's own. Each recording is a copy of the
 * body, of quadratic elements.
 *
 * ```ts
 * const { problem } = softBodyMarkers([{ recording, frames: 160 }], options);
 * const found = await estimate(problem, { device });
 * ```
 * @throws GradsimError for markers that are not in a recording, do not lie on the body as told, or never move.
 */
export function softBodyMarkers(held: readonly HeldRecording[], options: SoftBodyMarkersOptions): SoftBodyMarkers {
  const { mesh, density, isClamped, gravity, material, places, substepRate, noise = 5e-4 } = options;
  const tolerance = { ...TOLERANCE, ...options.tolerance };
  const scene = createScene([particles(), fem(), markers()]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const vertices = mesh.positions.length / 3;
  const fixed = Array.from({ length: vertices }, (_, k) => k).filter((k) => isClamped(vectorAt(mesh.positions, k)));
  if (fixed.length < 3)
    throw new GradsimError('markers/nothing-clamped', `The clamp holds ${fixed.length} of ${vertices} vertices.`, {
      field: 'clamp',
      hint: 'It must hold three or more that are not on one line.',
    });
  const nodes = quadraticMesh(mesh).positions;
  const names = Object.keys(places);
  const rate = held[0].recording.frameRate;
  const frames = Math.max(...held.map((one) => one.frames)) + LEAD;
  const count = held.length * names.length;
  const target = new Float64Array(frames * count * 3).fill(Number.NaN);
  const parameters: ParameterSpec[] = [];
  const first: number[] = [];
  const masses: number[] = [];
  const registered: {
    readonly recording: MarkerRecording;
    readonly orientation: Quaternion;
    readonly rest: readonly Vector[];
  }[] = [];
  for (const [k, { recording, load, frames: compared }] of held.entries()) {
    const chosen = names.map((name) => {
      const index = recording.markers.indexOf(name);
      if (index < 0)
        throw new GradsimError('markers/no-such-marker', `${recording.name} has no marker ${name}.`, {
          hint: `It has ${recording.markers.join(', ')}.`,
        });
      return index;
    });
    if (Math.abs(recording.frameRate / rate - 1) > 1e-3)
      throw new GradsimError(
        'markers/frame-rates-differ',
        `${recording.name} has ${recording.frameRate} frames a second, others ${rate}.`,
      );
    const start = findStart(recording, chosen);
    const registration = registerMarkers(recording.name, names, Object.values(places), start.rest);
    registered.push({ recording, orientation: registration.orientation, rest: start.rest });
    const begin = Math.max(0, start.frame - LEAD);
    first.push(begin);
    // Node by node: as an option of the body it would go to vertices, and mid-edge nodes to the mean of both ends.
    masses.push(...loadMasses(nodes, load));
    const body = addSoftBody(scene, mesh, {
      elements: 'quadratic',
      ...stiffnessOf(material),
      density,
      fixed,
      name: recording.name,
      arms: [
        { ratio: material.dashpot / DASHPOT_TIME, relaxationTime: DASHPOT_TIME },
        ...(material.armRatio > 0 ? [{ ratio: material.armRatio, relaxationTime: material.relaxationTime }] : []),
      ],
    });
    const release = (start.frame - 1.5 - begin) / recording.frameRate;
    const frame = scene.add(MarkerFrame, {
      orientation: registration.orientation,
      translation: registration.translation,
      gravity,
      release,
    });
    body.particles.forEach((particle) => {
      scene.add(HeldParticle, { particle, frame });
    });
    names.forEach((name, m) => {
      const corners = elementAt(mesh, places[name]).map((v) => body.particles[v]);
      scene.add(Marker, { corners, frame, start: start.rest[m] }, `marker ${name} of ${recording.name}`);
      for (let f = 0; f < compared + LEAD && begin + f < recording.frames; f++) {
        const from = 3 * ((begin + f) * recording.markers.length + chosen[m]);
        target.set(recording.positions.subarray(from, from + 3), 3 * (f * count + k * names.length + m));
      }
    });
    parameters.push(...ownUnknowns(k, recording, { ...registration, gravity, release, tolerance }));
  }
  return { problem: problemOf(), first, target, markers: count, told: toldBy };

  function toldBy(values: Readonly<Record<string, number>>): ReturnType<SoftBodyMarkers['told']> {
    const vector = (what: string, recording: MarkerRecording, otherwise: Vector): Vector =>
      vectorOf((c) => values[nameOf(`${what} ${'xyz'[c]}`, recording)] ?? otherwise[c]);
    const meanOf = (vectors: readonly Vector[]): Vector => vectorOf((c) => mean(vectors.map((v) => v[c])));
    const placesOf = registered.map(({ recording, orientation, rest }) => {
      const turn = vector('turn', recording, [0, 0, 0]);
      const small = normalizeQuaternion([turn[0] / 2, turn[1] / 2, turn[2] / 2, 1]);
      const inverse = conjugate(multiplyQuaternions(small, orientation));
      return rest.map((start) => rotate(inverse, subtract(start, vector('translation', recording, [0, 0, 0]))));
    });
    return {
      places: Object.fromEntries(names.map((name, m) => [name, meanOf(placesOf.map((of) => of[m]))])),
      gravity: meanOf(registered.map(({ recording }) => vector('gravity', recording, gravity))),
    };
  }

  function problemOf(): Problem {
    const elements = mesh.tets.length / 4;
    const hasArm = material.armRatio > 0;
    const stride = elements * (hasArm ? 2 : 1);
    const armElements = (which: number): number[] =>
      held.flatMap((_, k) => Array.from({ length: elements }, (__, e) => k * stride + which * elements + e));
    const unknown = options.unknown ?? [
      'youngsModulus',
      'dashpot',
      ...(hasArm ? (['armRatio', 'relaxationTime'] as const) : []),
    ];
    const known = material as unknown as Readonly<Record<string, number>>;
    const value = (values: Readonly<Record<string, number>>, name: keyof SoftMaterial): number =>
      unknown.includes(name) ? values[name] : known[name];
    const stiffness = (values: Readonly<Record<string, number>>) =>
      stiffnessOf({ youngsModulus: value(values, 'youngsModulus'), poissonRatio: value(values, 'poissonRatio') });
    const ties: TieSpec[] = [
      { field: 'quadraticTets.mu', of: (v) => stiffness(v).mu },
      { field: 'quadraticTets.lambda', of: (v) => stiffness(v).lambda },
      { field: 'quadraticTetArms.ratio', elements: armElements(0), of: (v) => value(v, 'dashpot') / DASHPOT_TIME },
    ];
    if (hasArm)
      ties.push(
        { field: 'quadraticTetArms.ratio', elements: armElements(1), of: (v) => value(v, 'armRatio') },
        { field: 'quadraticTetArms.relaxationTime', elements: armElements(1), of: (v) => value(v, 'relaxationTime') },
      );
    const model = buildModel(scene);
    model.acceptStep(1 / substepRate);
    return {
      model,
      frames,
      frameRate: rate,
      substeps: Math.ceil(substepRate / rate),
      parameters: [...unknown.map((name) => ({ ...MATERIAL[name], name, initial: material[name] })), ...parameters],
      values: { 'particles.mass': masses },
      // Without unknowns of the material, the scene has it.
      ties: unknown.length > 0 ? ties : [],
      derived: { damping: { of: (v) => 0.75 * stiffness(v).mu * value(v, 'dashpot'), unit: 'Pa s' } },
      observations: [{ field: Marker.position, target, weights: target.map((x) => (Number.isNaN(x) ? 0 : 1)), noise }],
    };
  }
}

const MATERIAL: Readonly<Record<keyof SoftMaterial, Pick<ParameterSpec, 'transform' | 'range' | 'unit' | 'scale'>>> = {
  youngsModulus: { transform: 'log', range: [1e3, 1e8], scale: 0.1, unit: 'Pa' },
  dashpot: { transform: 'log', range: [1e-6, 0.05], scale: 0.3, unit: 's' },
  armRatio: { transform: 'log', range: [1e-3, 5], scale: 0.3, unit: '' },
  relaxationTime: { transform: 'log', range: [2e-3, 2], scale: 0.3, unit: 's' },
  poissonRatio: { transform: 'bounded', range: [0.3, 0.497], scale: 1, unit: '' },
};

/** Unknowns of one recording: registration, direction of gravity, instant of release. */
function ownUnknowns(
  element: number,
  recording: MarkerRecording,
  own: {
    readonly translation: Vector;
    readonly gravity: Vector;
    readonly release: number;
    readonly tolerance: Tolerance;
  },
): ParameterSpec[] {
  const { tolerance, gravity } = own;
  const strength = Math.hypot(...gravity);
  const down = gravity.map(Math.abs).indexOf(Math.max(...gravity.map(Math.abs)));
  const prior = (mean: number, standardDeviation: number) => ({
    prior: { mean, standardDeviation },
    scale: standardDeviation,
  });
  const axis = (what: string, c: number): string => nameOf(`${what} ${'xyz'[c]}`, recording);
  return [0, 1, 2]
    .flatMap((c): ParameterSpec[] => [
      {
        name: axis('turn', c),
        field: MarkerFrame.turn,
        elements: [element],
        component: c,
        initial: 0,
        unit: 'rad',
        ...prior(0, tolerance.turn),
      },
      {
        name: axis('translation', c),
        field: MarkerFrame.translation,
        elements: [element],
        component: c,
        initial: own.translation[c],
        unit: 'm',
        ...prior(own.translation[c], tolerance.place),
      },
      ...(c === down
        ? []
        : [
            {
              name: axis('gravity', c),
              field: MarkerFrame.gravity,
              elements: [element],
              component: c,
              initial: gravity[c],
              unit: 'm/s^2',
              ...prior(gravity[c], tolerance.gravity * strength),
            },
          ]),
    ])
    .concat({
      name: nameOf('release', recording),
      field: MarkerFrame.release,
      elements: [element],
      initial: own.release,
      scale: 0.5 / recording.frameRate,
      unit: 's',
    });
}

/** Masses of nodes, kg: the load on the node nearest to it. */
function loadMasses(nodes: Float64Array, load: HeldRecording['load']): Float64Array {
  const masses = new Float64Array(nodes.length / 3);
  if (!load) return masses;
  const distance = (n: number): number =>
    Math.hypot(nodes[3 * n] - load.at[0], nodes[3 * n + 1] - load.at[1], nodes[3 * n + 2] - load.at[2]);
  let nearest = 0;
  for (let n = 1; n < masses.length; n++) if (distance(n) < distance(nearest)) nearest = n;
  masses[nearest] = load.mass;
  return masses;
}

/** Vertices of the element that contains a point, or from which it stands off least. */
function elementAt({ positions, tets }: TetMesh, point: Vector): number[] {
  let best: { readonly least: number; readonly corners: number[] } = { least: Number.NEGATIVE_INFINITY, corners: [] };
  for (let t = 0; t < tets.length; t += 4) {
    const corners = Array.from(tets.subarray(t, t + 4));
    const [a, b, c, d] = corners.map((v) => subtract(vectorAt(positions, v), point));
    const volume = (p: Vector, q: Vector, r: Vector): number => dot(p, cross(q, r));
    // Barycentric coordinates, up to the volume of the whole.
    const parts = [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)];
    const whole = parts.reduce((sum, x) => sum + x, 0);
    const least = Math.min(...parts.map((x) => x / whole));
    if (least > best.least) best = { least, corners };
  }
  return best.corners;
}
