import type { Device } from '@gradsim/core';
import type { SoftMaterial } from '@gradsim/markers';
import { softBodyMarkers } from '@gradsim/markers';
import type { Estimate } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { print } from '../support/options.ts';
import { type BeamMesh, estimatesOf, LAWS, NOISE, optionsOf, recordingsOf } from './silicone-beam.ts';

/** Greatest change of the modulus when the step or the mesh is halved, as a part. */
const CONVERGED = 0.02;
/** Iterations from the estimate with the coarse mesh. */
const ITERATIONS = 3;

/**
 * Fits the beam's Kelvin-Voigt law to its motion under its weight and with 52 g again with half the step, with half the size
 * of elements, and with Poisson's ratio unknown, each from the estimate with the given mesh, and prints how the modulus moves.
 *
 * @param mesh coarse mesh; that of elements half as large has half its step.
 */
export async function beamRefinement(device: Device, folder: string, mesh: BeamMesh): Promise<void> {
  const { fitted } = recordingsOf(folder);
  const [along, across, through] = mesh.cells;
  const coarse = await fit(mesh, LAWS.kelvinVoigt, {});
  const start = estimatesOf(coarse);
  const material = { ...LAWS.kelvinVoigt, youngsModulus: start.youngsModulus, dashpot: start.dashpot };
  const freed = await fit(mesh, material, start, ['youngsModulus', 'dashpot', 'poissonRatio']);
  for (const [parameter, { estimate: value, standardError }] of Object.entries(freed.parameters))
    print({
      thing: 'silicone beam',
      with: "Poisson's ratio unknown",
      parameter,
      estimate: value,
      standardError,
    });
  print({
    thing: 'silicone beam',
    with: "Poisson's ratio unknown",
    verdict: freed.verdict,
  });
  await compare('half the step', { ...mesh, substepRate: 2 * mesh.substepRate });
  await compare('half the mesh', {
    cells: [2 * along, 2 * across, 2 * through],
    substepRate: 2.5 * mesh.substepRate,
  });

  async function compare(what: string, finer: BeamMesh): Promise<void> {
    const { youngsModulus } = estimatesOf(await fit(finer, material, start));
    const change = youngsModulus / start.youngsModulus - 1;
    print({
      thing: 'silicone beam',
      with: what,
      ...finer,
      parameter: 'youngsModulus',
      estimate: youngsModulus,
      change,
      verdict: `${Math.abs(change) < CONVERGED ? 'within' : 'not within'} ${100 * CONVERGED} %`,
    });
  }

  async function fit(
    of: BeamMesh,
    from: SoftMaterial,
    initial: Readonly<Record<string, number>>,
    unknown?: readonly (keyof SoftMaterial)[],
  ): Promise<Estimate> {
    const began = performance.now();
    const { problem } = softBodyMarkers(fitted, {
      ...optionsOf(of),
      material: from,
      noise: NOISE,
      ...(unknown ? { unknown } : {}),
    });
    const parameters = problem.parameters!.map((one) => ({ ...one, initial: initial[one.name] ?? one.initial }));
    const iterations = Object.keys(initial).length > 0 ? ITERATIONS : 12;
    const options = { search: { iterations, tolerance: 1e-3 }, uncertainty: { intervals: 'curvature' } } as const;
    const found = await estimate({ ...problem, parameters, options }, { device });
    const { youngsModulus } = found.parameters;
    print({
      thing: 'silicone beam',
      ...of,
      parameter: 'youngsModulus',
      estimate: youngsModulus.estimate,
      standardError: youngsModulus.standardError,
      fittedError: Math.sqrt(3 * found.loss) * NOISE,
      seconds: (performance.now() - began) / 1000,
    });
    return found;
  }
}
