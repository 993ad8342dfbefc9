import type { Estimate, EstimateControls, Observation, ParameterSpec } from '@gradsim/optim';
import { estimate, search } from '@gradsim/optim';
import type { SoftInstance } from './instance.ts';

/** Parameters of an instance; if it has a rough estimate, that is computed first, and sets their starts. */
export async function startedParameters(
  { model, timeline, parameters, rough }: SoftInstance,
  observation: Observation,
  { device, signal }: EstimateControls,
): Promise<readonly ParameterSpec[]> {
  if (!rough) return parameters;
  const { frames } = rough;
  const perFrame = observation.target.length / timeline.frames;
  const target = Float64Array.from({ length: frames * perFrame }, (_, k) => observation.target[k]);
  const found = await search(
    {
      model,
      ...timeline,
      frames,
      parameters: rough.parameters,
      observations: [{ ...observation, target }],
      options: rough.options,
    },
    { device, signal },
  );
  return rough.refine(found.parameters);
}

/** Estimates the parameters of an instance from an observation of it. */
export async function estimateInstance(
  instance: SoftInstance,
  observation: Observation,
  controls: EstimateControls,
): Promise<Estimate> {
  const { model, timeline, options } = instance;
  const parameters = await startedParameters(instance, observation, controls);
  return estimate({ model, ...timeline, parameters, observations: [observation], options }, controls);
}
