import { MeshError } from '../mesh.ts';

/** Refuses lengths that are not positive and finite. */
export function checkLengths(shape: string, lengths: Record<string, number>): void {
  for (const [name, value] of Object.entries(lengths)) {
    if (!(value > 0 && Number.isFinite(value))) {
      throw new MeshError(`${shape}: ${name} is ${value}, but must be a positive number of metres.`);
    }
  }
}

/** Refuses counts that are not whole numbers from a smallest one on. */
export function checkCount(shape: string, name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new MeshError(`${shape}: ${name} is ${value}, but must be a whole number of at least ${least}.`);
  }
}
