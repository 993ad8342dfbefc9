import { cpuDevice } from '@gradsim/core';
import { cueDescent, LOOKS, MAX_FOUND_ERROR, RENDERERS } from '@gradsim/examples';
import { estimate } from '@gradsim/optim';
import { afterAll, expect, it } from 'vitest';
import shadingCues from '../src/shading-cues.ts';

// Seconds on an idle machine.
const device = cpuDevice();
afterAll(() => device.dispose());

it('gradient descent finds the mass in fewer steps from shaded or textured pictures than from plain colours', async () => {
  const options = { size: 16, iterations: 60, learningRate: 10, renderer: RENDERERS.softras };
  const [color, shading, texture] = await Promise.all(LOOKS.map(async (look) => cueDescent(1, look, options, device)));
  expect(new Set([color, shading, texture].map(({ errors }) => errors[0])).size).toBe(1);
  for (const { errors, iterations } of [shading, texture]) {
    expect(iterations).not.toBeNull();
    expect(errors.slice(iterations!).every((error) => error < MAX_FOUND_ERROR)).toBe(true);
    expect(iterations!).toBeLessThan(color.iterations ?? options.iterations);
  }
});

it('shading cues are an experiment of three stages with one start and one step size', async () => {
  const settings = { size: '16', iterations: '2', instance: '3' };
  const stages = await shadingCues.stages({ device, settings, log: () => {} });
  expect(stages.map(({ name }) => name)).toEqual([...LOOKS]);
  const starts = stages.map(({ problem }) => problem.parameters![0].initial);
  expect(new Set(starts).size).toBe(1);
  const found = await estimate(stages[2].problem, { device });
  expect(found.method).toBe('sgd');
  expect(stages[2].notes!(found)).toEqual(['By texture the mass comes within 0.001 of the truth never.']);
});
