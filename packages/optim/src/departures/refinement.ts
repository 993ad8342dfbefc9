import type { Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { descendBySquares } from '../descent/least-squares.ts';
import { Objective } from '../objective/objective.ts';
import type { Plan } from '../plan/plan.ts';
import { planOf } from '../plan/plan.ts';
import { SimulationPool } from '../plan/simulation-pool.ts';
import type { Verification } from '../posterior/posterior.ts';
import type { ArraySpec } from '../problem/parameter.ts';
import type { Problem } from '../problem/problem.ts';
import { momentsOf } from '../problem/run.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { Unknowns } from '../unknowns/unknowns.ts';

/** Maximum number of Gauss-Newton steps on the refined problem, which starts at the estimate. */
const MAX_GAUSS_NEWTON_STEPS = 8;
/** Factor by which a mesh is refined along each edge. */
const REFINEMENT_FACTOR = 2;

/**
 * Checks that a problem can be verified. @throws if its model holds values for every substep, or `refined` is no
 * function.
 */
export function refuseUnrefinable(model: Model, refined: Problem['refined']): void {
  const held = [...model.fields.values()].find(
    ({ variesBy, values, components, domain }) =>
      variesBy === 'substep' && values && values.length > components * model.domain(domain).size,
  );
  if (held)
    throw new GradsimError(
      'optim/values-every-substep',
      `\`verify\` halves the substep, and the model holds a value of ${held.key} for every substep.`,
      { field: held.key, hint: "Give them in the problem's `values` instead, which are spread over twice as many." },
    );
  if (refined !== undefined && typeof refined !== 'function')
    throw new GradsimError(
      'optim/wrong-type',
      `The problem's \`refined\` must be a function that gives a finer problem, got ${typeof refined}.`,
    );
}

/**
 * Estimates again, starting at the estimate, with half the substep and, if the problem has `refined`, with a finer
 * mesh.
 * @throws if the finer problem has other parameters.
 */
export async function estimateRefined(problem: Problem, plan: Plan, x: Float64Array): Promise<Verification[]> {
  const found = [await withFiner('substep', halved(problem), plan, x)];
  if (problem.refined) {
    const finer = await problem.refined(REFINEMENT_FACTOR);
    refuseOthers(problem.parameters, finer);
    found.push(await withFiner('mesh', finer, plan, x));
  }
  return found;
}

async function withFiner(
  refined: Verification['refined'],
  finer: Problem,
  plan: Plan,
  x: Float64Array,
): Promise<Verification> {
  const unknowns = new Unknowns(finer, plan.unknowns.role);
  const objective = new Objective(finer, unknowns);
  objective.residuals!.perIndependent = plan.objective.residuals!.perIndependent;
  const points = [unknowns.coordinatesOf(plan.unknowns.numbers(plan.unknowns.values(x)))];
  const search = { ...plan.options.search, method: 'levenberg-marquardt', iterations: MAX_GAUSS_NEWTON_STEPS } as const;
  const options = { ...plan.options, search };
  const { controls, hadGradient } = plan;
  const simulations = new SimulationPool();
  const own = planOf(finer, objective, {
    unknowns,
    options,
    controls,
    simulations,
    hadGradient,
    report: async () => {},
  });
  try {
    const [end] = (await descendBySquares({ ...own, points })).ends;
    return { refined, parameters: unknowns.parameters(unknowns.values(end.x)) };
  } catch (error) {
    if (error instanceof RunFailure) return { refined, parameters: null };
    throw error;
  } finally {
    simulations.dispose();
  }
}

/** Copy of a problem with twice as many substeps per frame. */
function halved(whole: Problem): Problem {
  const { model, values = {}, arrays = [], frames, substeps } = whole;
  const isOfSubsteps = (key: ArraySpec['field']): boolean => model.field(key).variesBy === 'substep';
  return {
    ...whole,
    substeps: 2 * substeps,
    arrays: arrays.map((spec) => (isOfSubsteps(spec.field) ? { ...spec, window: 2 * (spec.window ?? 1) } : spec)),
    values: Object.fromEntries(
      Object.entries(values).map(([key, given]) => {
        const field = model.field(key);
        const perMoment = model.domain(field.domain).size * field.components;
        const isRepeated = given.length !== momentsOf(field, { frames, substeps }) * perMoment;
        if (!isOfSubsteps(key) || isRepeated) return [key, given];
        return [
          key,
          Float64Array.from(
            { length: 2 * given.length },
            (_, at) => given[Math.floor(at / (2 * perMoment)) * perMoment + (at % perMoment)],
          ),
        ];
      }),
    ),
  };
}

/** Checks a finer problem. @throws if its parameters are not those of the problem. */
function refuseOthers(parameters: Problem['parameters'], finer: Pick<Problem, 'parameters'>): void {
  const names = (of: Problem['parameters'] = []): string => of.map(({ name }) => name).join(', ');
  if (names(finer?.parameters) !== names(parameters))
    throw new GradsimError(
      'optim/other-parameters',
      `The problem's \`refined\` gave one with the parameters ${names(finer?.parameters) || '(none)'}.`,
      { hint: `It must have the same, ${names(parameters)}.` },
    );
}
