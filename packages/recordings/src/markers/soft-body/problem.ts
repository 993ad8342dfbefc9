import { conjugate, mean, rotate, scale, subtract, type Vector, vectorAt, vectorOf } from '@gradsim/base';
import { buildModel, createScene, GradsimError } from '@gradsim/core';
import { addSoftBody, fem, quadraticMesh, stiffnessOf } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import type { Estimate, ParameterSpec, Problem } from '@gradsim/optim';
import { Gravity, particles } from '@gradsim/particles';
import { springs } from '@gradsim/springs';
import { HeldParticle, LedParticle, Marker, MarkerFrame } from '../marker.ts';
import { markers } from '../plugin.ts';
import type { MarkerRecording } from '../recording.ts';
import {
  type BodyRegistration,
  indicesOf,
  nearest,
  originOf,
  registerHeldBody,
  registrationBy,
  registrationUnknowns,
  TOLERANCE,
  type Tolerance,
} from '../registration/body-registration.ts';
import { motionTable, rigidlyMoved } from '../registration/motion.ts';
import { findStart, type MotionStart } from '../registration/release.ts';
import { elementAt, nearestNodes } from './elements.ts';
import { addLoad, type Load } from './load.ts';
import { estimatedOffset, loadUnknowns, type TiedLoad } from './load-unknowns.ts';
import { DASHPOT_TIME, MATERIAL, type SoftMaterial } from './material.ts';
import { materialTies } from './material-ties.ts';
import type { WrittenSoftBody } from './mjcf.ts';
import { substepRateOf } from './substep-rate.ts';

/** A recording of a soft body that is held and let go. */
export interface HeldRecording {
  readonly recording: MarkerRecording;
  readonly load?: Load;
  /** Frames compared, from the first that moves. */
  readonly frames: number;
}

/** Options of {@link softBodyMarkers}. */
export interface SoftBodyMarkersOptions {
  readonly mesh: TetMesh;
  /** Density, kg/m^3. */
  readonly density: number;
  /** True for vertices that the clamp holds. */
  readonly isClamped: (position: Vector) => boolean;
  /** Given places of markers on the body at rest, m, by name; other markers are ignored. */
  readonly places: Readonly<Record<string, Vector>>;
  /** Names of markers on the clamp, on which recordings are laid upon each other. Default: those on the body, while it is held. */
  readonly clampMarkers?: readonly string[];
  /** Gravity in axes of the recordings, m/s^2. */
  readonly gravity: Vector;
  /**
   * Seconds, from the first that moves, in which a hand may still touch the body: it is led where its markers were measured,
   * and they are not compared. Default 0: the body is held still and let go at an instant, which is unknown.
   */
  readonly handContactSeconds?: number;
  /** Values where the search starts. */
  readonly material: SoftMaterial;
  /** Names of material parameters that are unknown. Default: modulus, dashpot, and the arm's if its ratio is above 0. */
  readonly unknown?: readonly (keyof SoftMaterial)[];
  /**
   * Known registrations; a recording takes that with the nearest clamp, and loads stand off as told. Default: unknown ones,
   * near that by which the markers of the first recording lie as told.
   */
  readonly registrations?: readonly BodyRegistration[];
  /**
   * Substeps per second. Default: what the stiffest mode of the body needs, with a fifth more. The step counts as accepted: no
   * warning says that it is above the conservative bound.
   */
  readonly substepRate?: number;
  /** Standard deviations of what is told; a direction of gravity with 0 is exact. */
  readonly tolerance?: Partial<Tolerance>;
  /** Error of the model where it fits, m: what residuals are weighed by. Default 0.5 mm. */
  readonly noise?: number;
}

/** Frames before the first that moves, in which the body is held, and those of them in which the hand takes hold. */
const LEAD_FRAMES = 24;
const SETTLING_FRAMES = 16;
/** Frames by which the first that moves follows the release, where a body is let go at an instant. */
const RELEASE_DELAY = 1.5;
/** Grip of the hand in units of the rate of substeps. */
const GRIP_RATE = 1 / 4;
/** Number of nodes near each marker that the hand leads. */
const LED_NODES = 3;

/** A problem of markers on soft bodies, and what its frames are. */
export interface SoftBodyMarkers {
  readonly problem: Problem;
  /** First frame of each recording that is frame 0 of the simulation. */
  readonly firstFrames: readonly number[];
  /**
   * Measured positions, [frame][recording and marker][component], in axes of the first recording; NaN where a marker was
   * not seen.
   */
  readonly measured: Float64Array;
  /** Positions of the markers while the body is held, m, [recording and marker]. */
  readonly clampedPoints: readonly Vector[];
  /** Registration of each recording by an estimate, for recordings that are foretold. */
  readonly registrationsOf: (values: Readonly<Record<string, number>>) => BodyRegistration[];
  /** Offset of the loads by an estimate, m, for recordings that are foretold; undefined if none stands off the body. */
  readonly loadOffsetOf: (values: Readonly<Record<string, number>>) => Vector | undefined;
  /** Body by the parameters of an estimate, without loads, with gravity as the first recording has it; standard errors are remarks. */
  readonly bodyOf: (parameters: Estimate['parameters']) => WrittenSoftBody;
}

/**
 * Makes one estimate of several recordings of a soft body that is held and let go: material and places of markers are shared;
 * each recording has its own load, rotation and instant of release. Each recording is a copy of the body, of quadratic elements.
 * Until the release a hand leads the markers as they were measured, so that the body need be neither straight nor at rest.
 *
 * ```ts
 * const { problem } = softBodyMarkers([{ recording, frames: 160 }], options);
 * const found = await estimate(problem, { device });
 * ```
 * @throws GradsimError for markers that are not in a recording, do not lie on the body as told, or never move.
 */
export function softBodyMarkers(held: readonly HeldRecording[], options: SoftBodyMarkersOptions): SoftBodyMarkers {
  const { mesh, density, isClamped, material, handContactSeconds = 0, noise = 5e-4 } = options;
  const scene = createScene([particles(), springs(), fem(), markers()]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const vertices = mesh.positions.length / 3;
  const fixed = Array.from({ length: vertices }, (_, k) => k).filter((k) => isClamped(vectorAt(mesh.positions, k)));
  if (fixed.length < 3)
    throw new GradsimError('markers/nothing-clamped', `The clamp holds ${fixed.length} of ${vertices} vertices.`, {
      field: 'clamp',
      hint: 'It must hold three or more that are not on one line.',
    });
  const quadratic = quadraticMesh(mesh);
  const isHeld = (node: number): boolean => isClamped(vectorAt(quadratic.positions, node));
  const substepRate = options.substepRate ?? substepRateOf(mesh, quadratic, { material, density, isHeld });
  const names = Object.keys(options.places);
  const rate = held[0].recording.frameRate;
  const frames = Math.max(...held.map((one) => one.frames)) + LEAD_FRAMES;
  const count = held.length * names.length;
  const measured = new Float64Array(frames * count * 3).fill(Number.NaN);
  const weights = new Float64Array(measured.length);
  const starts = held.map(({ recording }) => motionStart(recording, rate, names));
  const origins = held.map(({ recording }, k) => originOf(recording, starts[k], options.clampMarkers));
  const registrations = origins.map((origin) => nearest(options.registrations ?? [], origin));
  const pivot = vectorOf((c) => mean(fixed.map((v) => mesh.positions[3 * v + c])));
  const near = registerHeldBody(held[0].recording, starts[0], { origin: origins[0], pivot }, options);
  const registrationOf = (k: number): BodyRegistration => registrations[k] ?? { ...near, clamp: origins[k] };
  const firstFrames: number[] = [];
  const masses: number[] = [];
  const releases: number[] = [];
  const led: Float64Array[] = [];
  const tied: TiedLoad[] = [];
  let springCount = 0;
  for (const [k, { recording, load, frames: compared }] of held.entries()) {
    const start = starts[k];
    const begin = Math.max(0, start.frame - LEAD_FRAMES);
    firstFrames.push(begin);
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
    const release = (start.frame - begin - (handContactSeconds > 0 ? 0 : RELEASE_DELAY)) / rate + handContactSeconds;
    releases.push(release);
    const { orientation, translation, gravity, places, origin, pivot } = registrationOf(k);
    const frame = scene.add(MarkerFrame, {
      orientation,
      pivot,
      translation,
      gravity,
      release,
      interval: 1 / rate,
      settled: Math.min(SETTLING_FRAMES, Math.max(1, start.frame - begin)) / rate,
    });
    const added = addLoad(scene, load, {
      mesh: quadratic,
      particles: body.particles,
      down: rotate(conjugate(orientation), scale(gravity, 1 / Math.hypot(...gravity))),
      name: recording.name,
    });
    const { tie } = added;
    if (tie)
      tied.push({ tie, offset: load!.offset!, particle: masses.length + added.masses.length - 1, spring: springCount });
    springCount += tie ? tie.nodes.length : added.hanging.length;
    // Node by node: as an option of the body masses would go to vertices, and mid-edge nodes to the mean of both ends.
    masses.push(...added.masses);
    for (const particle of [...body.particles, ...added.hanging]) scene.add(HeldParticle, { particle, frame });
    const shift = subtract(origins[k], origin);
    // Where the hand leads: as measured, or where the body was held. Without a measurement it stays.
    const own = new Float64Array(frames * names.length * 3).fill(Number.NaN);
    own.set(start.restPositions.flatMap((p) => subtract(p, shift)));
    names.forEach((name, m) => {
      const nodes = Array.from(elementAt(mesh, quadratic, places[name]), (n) => body.particles[n]);
      scene.add(Marker, { nodes, frame, place: places[name] }, `marker ${name} of ${recording.name}`);
      const index = recording.markers.indexOf(name);
      for (let f = 0; f < compared + LEAD_FRAMES && begin + f < recording.frames; f++)
        for (let c = 0; c < 3; c++) {
          const seen = recording.positions[3 * ((begin + f) * recording.markers.length + index) + c] - shift[c];
          const at = 3 * (f * count + k * names.length + m) + c;
          measured[at] = seen;
          weights[at] = Number.isNaN(seen) || f < release * rate ? 0 : 1;
          if (handContactSeconds > 0 && !Number.isNaN(seen)) own[3 * (f * names.length + m) + c] = seen;
        }
    });
    const ledNodes = [
      ...new Set(names.flatMap((name) => nearestNodes(quadratic.positions, places[name], LED_NODES))),
    ].filter((n) => !isHeld(n));
    for (const n of ledNodes)
      scene.add(LedParticle, { particle: body.particles[n], frame, grip: GRIP_RATE * substepRate });
    const points = ledNodes.map((n) => vectorAt(quadratic.positions, n));
    led.push(rigidlyMoved(points, Object.values(places), own));
  }
  return {
    problem: problemOf(),
    firstFrames,
    measured,
    clampedPoints: starts.flatMap(({ restPositions }, k) =>
      restPositions.map((p) => subtract(p, subtract(origins[k], registrationOf(k).origin))),
    ),
    loadOffsetOf: (values) => tied[0] && estimatedOffset(values, tied[0].offset),
    registrationsOf: (values) => held.map(({ recording }, k) => registrationBy(values, registrationOf(k), recording)),
    bodyOf: (parameters) => {
      const estimates = Object.entries(parameters);
      const values = Object.fromEntries(estimates.map(([name, { estimate }]) => [name, estimate]));
      const { orientation, gravity } = registrationBy(values, registrationOf(0), held[0].recording);
      const found = Object.entries(values).filter(([name]) => name in material);
      return {
        name: 'body',
        mesh,
        density,
        isClamped,
        gravity: rotate(conjugate(orientation), gravity),
        material: { ...material, ...Object.fromEntries(found) },
        remarks: estimates.map(([name, { estimate, standardError, unit }]) => {
          const error = standardError === null ? '' : `, standard error ${standardError.toPrecision(2)}`;
          return `${name} ${estimate.toPrecision(5)} ${unit}${error}`;
        }),
      };
    },
  };

  function problemOf(): Problem {
    const hasArm = material.armRatio > 0;
    const unknown = options.unknown ?? [
      'youngsModulus',
      'dashpot',
      ...(hasArm ? (['armRatio', 'relaxationTime'] as const) : []),
    ];
    const { ties, derived } = materialTies(material, unknown, { bodies: held.length, elements: mesh.tets.length / 4 });
    const tolerance = { ...TOLERANCE, ...options.tolerance };
    const ofLoads = loadUnknowns(tied, options.registrations ? 0 : tolerance.load);
    const from = Math.floor(weights.indexOf(1) / (3 * count));
    const model = buildModel(scene);
    model.acceptStep(1 / substepRate);
    return {
      model,
      frames,
      frameRate: rate,
      substeps: Math.ceil(substepRate / rate),
      parameters: [
        ...unknown.map((name) => ({ ...MATERIAL[name], name, initial: material[name] })),
        ...(options.registrations
          ? []
          : registrationUnknowns(
              near,
              held.map(({ recording }) => recording),
              tolerance,
            )),
        ...ofLoads.parameters,
        ...(handContactSeconds > 0 ? [] : held.map(({ recording }, k) => releaseUnknown(recording, k, releases[k]))),
      ],
      values: { 'particles.mass': masses, ...motionTable(joinTables(led, frames), rate, frames) },
      ties: [...ties, ...ofLoads.ties],
      derived,
      observations: [
        {
          field: Marker.position,
          target: measured.map((x) => (Number.isNaN(x) ? 0 : x)),
          weights,
          noise,
          frames: Array.from({ length: frames - from }, (_, f) => from + f),
        },
      ],
    };
  }
}

/** Tables of one row a frame, joined row by row. */
function joinTables(tables: readonly Float64Array[], rows: number): Float64Array {
  const all: number[] = [];
  for (let row = 0; row < rows; row++)
    for (const table of tables) {
      const width = table.length / rows;
      all.push(...table.subarray(row * width, (row + 1) * width));
    }
  return Float64Array.from(all);
}

/** Start of a recording's motion. @throws for markers that it lacks, and another frame rate. */
function motionStart(recording: MarkerRecording, rate: number, names: readonly string[]): MotionStart {
  if (Math.abs(recording.frameRate / rate - 1) > 1e-3)
    throw new GradsimError(
      'markers/frame-rates-differ',
      `${recording.name} has ${recording.frameRate} frames a second, others ${rate}.`,
    );
  return findStart(recording, indicesOf(recording, names));
}

const releaseUnknown = (recording: MarkerRecording, element: number, initial: number): ParameterSpec => ({
  name: `release of ${recording.name}`,
  field: MarkerFrame.release,
  elements: [element],
  initial,
  scale: 0.5 / recording.frameRate,
  unit: 's',
});
