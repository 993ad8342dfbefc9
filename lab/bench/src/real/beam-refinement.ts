import { choleskyFactor, solveByFactor } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { createSimulation, usualRate } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { Marker, type SoftMaterial, softBodyMarkers, startedMarkers } from '@gradsim/recordings/markers';
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
 */
export async function printBeamRefinement(device: Device, folder: string, cellSize: number): Promise<void> {
  const values = estimatesOf(await fitted(device, folder, { cellSize }, {}));
  await refinements(device, folder, cellSize, values);
  const freed = await fitted(device, folder, { cellSize }, values, ['youngsModulus', 'dashpot', 'poissonRatio']);
  for (const [parameter, { estimate: value, standardError, interval }] of Object.entries(freed.parameters))
    print({ ...THING, with: "Poisson's ratio unknown", parameter, estimate: value, standardError, interval });
  print({ ...THING, with: "Poisson's ratio unknown", verdict: freed.verdict });
}

const THING = { thing: 'silicone beam', law: 'Kelvin-Voigt' } as const;

type Values = Readonly<Record<string, number>>;

/**
 * Prints the modulus after a step of Gauss-Newton from the same values, with the mesh, with half its step, and with cells of half
 * its size. Each step goes by the residuals of its own mesh and the derivatives of the coarse one.
 */
async function refinements(device: Device, folder: string, cellSize: number, values: Values): Promise<void> {
  const usual = await residuals(device, folder, { cellSize }, values);
  const columns = await derivatives(device, folder, { cellSize }, values, usual);
  const { substepRate } = usual;
  const from = improvedModulus(values, usual, columns);
  print({ ...THING, cellSize, substepRate, parameter: 'youngsModulus', estimate: from });
  for (const finer of [{ cellSize, substepRate: 2 * substepRate }, { cellSize: cellSize / 2 }]) {
    const began = performance.now();
    const at = await residuals(device, folder, finer, values);
    const modulus = improvedModulus(values, at, columns);
    const change = modulus / from - 1;
    print({
      ...THING,
      ...finer,
      substepRate: at.substepRate,
      parameter: 'youngsModulus',
      estimate: modulus,
      change,
      seconds: (performance.now() - began) / 1000,
      verdict: `${Math.abs(change) < CONVERGED ? 'within' : 'not within'} ${100 * CONVERGED} %`,
    });
  }
}

/** Young's modulus, Pa, after one step of Gauss-Newton in modulus, dashpot, translation, and the turn of each recording. */
function improvedModulus(values: Values, at: Residuals, columns: readonly Float64Array[]): number {
  const product = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, x, k) => sum + at.weights[k] * x * b[k], 0);
  const factor = choleskyFactor(columns.map((a) => columns.map((b) => product(a, b)))) as number[][];
  const step = solveByFactor(
    factor,
    columns.map((a) => -product(a, at.values)),
  );
  return values.youngsModulus * (1 + step[0]);
}

/** Derivatives of residuals in the order of {@link improvedModulus}; those by modulus and dashpot are difference quotients. */
async function derivatives(
  device: Device,
  folder: string,
  mesh: BeamMesh,
  values: Values,
  at: Residuals,
): Promise<Float64Array[]> {
  const { substepRate } = at;
  const quotients: Float64Array[] = [];
  for (const [name, step] of Object.entries(STEPS)) {
    const other = { ...values, [name]: values[name] * (1 + step) };
    const more = await residuals(device, folder, { ...mesh, substepRate }, other);
    quotients.push(more.values.map((x, k) => (x - at.values[k]) / step));
  }
  return [
    ...quotients,
    ...[0, 1, 2].map((c) => at.positions.map((_, k) => (k % 3 === c ? 1 : 0))),
    // About the vertical, x: (0, -z, y).
    ...Array.from({ length: RECORDINGS }, (_, r) =>
      at.positions.map((_, k) => {
        if (recordingOf(k) !== r || k % 3 === 0) return 0;
        return k % 3 === 1 ? -at.positions[k + 1] : at.positions[k - 1];
      }),
    ),
  ];
}

/** Three markers of three coordinates for each recording. */
const recordingOf = (k: number): number => Math.floor(k / 9) % RECORDINGS;

/** Foretold positions of the markers less measured ones, m, both recordings frame by frame, and which of them count. */
interface Residuals {
  readonly values: Float64Array;
  readonly positions: Float64Array;
  readonly weights: readonly number[];
  readonly substepRate: number;
}

async function residuals(device: Device, folder: string, mesh: BeamMesh, values: Values): Promise<Residuals> {
  const { fitted: held } = recordingsOf(folder);
  const { youngsModulus, dashpot } = values;
  const options = { ...optionsOf(mesh), material: { ...LAWS.kelvinVoigt, youngsModulus, dashpot } };
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
    return {
      values: positions.map((x, k) => (weights[k] > 0 ? x - measured[k] : 0)),
      positions,
      weights,
      substepRate: problem.substeps * usualRate(problem),
    };
  } finally {
    simulation.dispose();
  }
}

async function fitted(
  device: Device,
  folder: string,
  mesh: BeamMesh,
  initial: Values,
  unknown?: readonly (keyof SoftMaterial)[],
): Promise<Estimate> {
  const { fitted: held } = recordingsOf(folder);
  const options = { ...optionsOf(mesh), material: LAWS.kelvinVoigt, noise: NOISE, ...(unknown ? { unknown } : {}) };
  const isKnown = Object.keys(initial).length > 0;
  const { problem } = isKnown ? softBodyMarkers(held, options) : await startedMarkers(held, options, { device });
  const parameters = problem.parameters!.map((one) => ({ ...one, initial: initial[one.name] ?? one.initial }));
  const iterations = isKnown ? ITERATIONS : 12;
  const settings = { search: { iterations, tolerance: 1e-3 }, uncertainty: { intervals: 'curvature' } } as const;
  return estimate({ ...problem, parameters, options: settings }, { device });
}
