import type { Simulation } from '../tape/simulation.ts';
import { compiledOf } from '../tape/simulation.ts';

/**
 * Returns a function that runs the first stage of a program by itself, for timing: `frame` renders one frame, `growth`
 * samples the growth of adjoints once. Returns null if the model has no such program, or its first stage is a loop.
 */
export function stageRunner(simulation: Simulation, program: 'frame' | 'growth'): (() => void) | null {
  const { executor, registers, stages } = compiledOf(simulation);
  const [stage] = stages[program];
  if (!stage || !('program' in stage)) return null;
  const rows = new Uint32Array(registers.length);
  return () => executor.run(stage.program, rows);
}
