import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Marker, type SoftMaterial, softBodyMarkers } from '@gradsim/markers';
import { choleskyFactor, solveByFactor } from '@gradsim/numeric';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { print } from '../support/options.ts';
import { type BeamMesh, estimatesOf, LAWS, NOISE, optionsOf, recordingsOf } from './silicone-beam.ts';

/** Greatest change of the modulus when the step or the mesh is halved, as a part. */
const CONVERGED = 0.02;
/** Relative steps of difference quotients by modulus and dashpot. */
const STEPS = { youngsModulus: 0.01, dashpot: 0.1 } as const;
/** Iterations with Poisson's ratio unknown, from the estimate without. */
const ITERATIONS = 3;
const RECORDINGS = 2;

/**
 * Prints how the modulus of the beam's Kelvin-Voigt law, fitted to its motion under its weight and with 52 g, moves with half
 * the step and with half the size of elements, and what is found of Poisson's ratio if it is unknown.
 *
 * @param mesh coarse mesh; the fine one has two and a half times its substeps.
 */
export async function beamRefinement(device: Device, folder: string, mesh: BeamMesh): Promise<void> {
  const coarse = estimatesOf(await fitted(device, folder, mesh, {}));
  const freed = await fitted(device, folder, mesh, coarse, ['youngsModulus', 'dashpot', 'poissonRatio']);
  for (const [parameter, { estimate: value, standardError, interval }] of Object.entries(freed.parameters))
    print({ ...THING, with: "Poisson's ratio unknown", parameter, estimate: value, standardError, interval });
  print({ ...THING, with: "Poisson's ratio unknown", verdict: freed.verdict });
  await refinements(device, folder, mesh, coarse);
}

const THING = { thing: 'silicone beam', law: 'Kelvin-Voigt' } as const;

/** Prints the modulus after a step of Gauss-Newton from the same values, with the mesh, half its step, and half its size. */
export async function refinements(
  device: Device,
  folder: string,
  mesh: BeamMesh,
  values: Readonly<Record<string, number>>,
): Promise<void> {
  const [along, across, through] = mesh.cells;
  const fine: BeamMesh = { cells: [2 * along, 2 * across, 2 * through], substepRate: 2.5 * mesh.substepRate };
  const usual = await improvedModulus(device, folder, mesh, values);
  print({ ...THING, ...mesh, parameter: 'youngsModulus', estimate: usual });
  for (const finer of [{ ...mesh, substepRate: 2 * mesh.substepRate }, fine]) {
    const began = performance.now();
    const modulus = await improvedModulus(device, folder, finer, values);
    const change = modulus / usual - 1;
    const isConverged = Math.abs(change) < CONVERGED;
    print({
      ...THING,
      ...finer,
      parameter: 'youngsModulus',
      estimate: modulus,
      change,
      seconds: (performance.now() - began) / 1000,
      verdict: `${isConverged ? 'within' : 'not within'} ${100 * CONVERGED} %`,
    });
  }
}

/**
 * Young's modulus, Pa, after one step of Gauss-Newton in modulus, dashpot, translation, and the turn of each recording, from
 * values that were found with another mesh. Derivatives by modulus and dashpot are difference quotients.
 */
async function improvedModulus(
  device: Device,
  folder: string,
  mesh: BeamMesh,
  values: Readonly<Record<string, number>>,
): Promise<number> {
  const { youngsModulus, dashpot } = values;
  const found = { ...LAWS.kelvinVoigt, youngsModulus, dashpot };
  const at = await residuals(device, folder, mesh, values, found);
  const stiffer = await residuals(device, folder, mesh, values, {
    ...found,
    youngsModulus: youngsModulus * (1 + STEPS.youngsModulus),
  });
  const damped = await residuals(device, folder, mesh, values, { ...found, dashpot: dashpot * (1 + STEPS.dashpot) });
  const quotient = (more: Float64Array, step: number): Float64Array => more.map((x, k) => (x - at.values[k]) / step);
  const columns = [
    quotient(stiffer.values, STEPS.youngsModulus),
    quotient(damped.values, STEPS.dashpot),
    ...[0, 1, 2].map((c) => at.positions.map((_, k) => (k % 3 === c ? 1 : 0))),
    // About the vertical, x: (0, -z, y).
    ...Array.from({ length: RECORDINGS }, (_, r) =>
      at.positions.map((_, k) => {
        if (recordingOf(k) !== r || k % 3 === 0) return 0;
        return k % 3 === 1 ? -at.positions[k + 1] : at.positions[k - 1];
      }),
    ),
  ];
  const product = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, k) => sum + at.weights[k] * x * b[k], 0);
  const factor = choleskyFactor(columns.map((a) => columns.map((b) => product(a, b)))) as number[][];
  const step = solveByFactor(
    factor,
    columns.map((a) => -product(a, at.values)),
  );
  return youngsModulus * (1 + step[0]);
}

/** Three markers of three coordinates for each recording. */
const recordingOf = (k: number): number => Math.floor(k / 9) % RECORDINGS;

/** Foretold positions of the markers less measured ones, m, both recordings frame by frame, and which of them count. */
async function residuals(
  device: Device,
  folder: string,
  mesh: BeamMesh,
  values: Readonly<Record<string, number>>,
  material: SoftMaterial,
): Promise<{ readonly values: Float64Array; readonly positions: Float64Array; readonly weights: readonly number[] }> {
  const { fitted: held } = recordingsOf(folder);
  const options = { ...optionsOf(mesh), material };
  const registrations = softBodyMarkers(held, options).registrationsOf(values);
  const { problem, measured } = softBodyMarkers(held, { ...options, registrations, unknown: [] });
  const simulation = await createSimulation(problem.model, {
    device,
    frames: problem.frames,
    frameRate: problem.frameRate,
    substeps: problem.substeps,
    parameters: [Particle.mass],
    record: [Marker.position],
  });
  try {
    for (const [field, of] of Object.entries(problem.values ?? {})) simulation.set(field, of);
    simulation.forward();
    const positions = Float64Array.from(await simulation.readFrames(Marker.position));
    const weights = Array.from(problem.observations![0].weights!);
    return { values: positions.map((x, k) => (weights[k] > 0 ? x - measured[k] : 0)), positions, weights };
  } finally {
    simulation.dispose();
  }
}

async function fitted(
  device: Device,
  folder: string,
  mesh: BeamMesh,
  initial: Readonly<Record<string, number>>,
  unknown?: readonly (keyof SoftMaterial)[],
): Promise<Estimate> {
  const { problem } = softBodyMarkers(recordingsOf(folder).fitted, {
    ...optionsOf(mesh),
    material: LAWS.kelvinVoigt,
    noise: NOISE,
    ...(unknown ? { unknown } : {}),
  });
  const parameters = problem.parameters!.map((one) => ({ ...one, initial: initial[one.name] ?? one.initial }));
  const iterations = Object.keys(initial).length > 0 ? ITERATIONS : 12;
  const options = { search: { iterations, tolerance: 1e-3 }, uncertainty: { intervals: 'curvature' } } as const;
  return estimate({ ...problem, parameters, options }, { device });
}
