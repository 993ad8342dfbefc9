import type { CaseContent } from './formats.ts';

/** What a field holds: a number, so many numbers, or any array. */
export type Shape = 'number' | number | 'array';

/**
 * Refuses a case that lacks a field or has another shape there.
 * @throws naming the field by its path, such as `parameters.v0`, what is there and what should be.
 */
export function requireFields(
  file: string,
  content: CaseContent,
  fields: Readonly<Record<string, Shape>>,
): void {
  for (const [path, shape] of Object.entries(fields)) {
    const value = path.split('.').reduce<unknown>(member, content);
    if (!fits(value, shape))
      throw new Error(`${file}: the field "${path}" must be ${describe(shape)}, not ${quote(value)}.`);
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as CaseContent)[name] : undefined;
}

function fits(value: unknown, shape: Shape): boolean {
  if (shape === 'number') return typeof value === 'number';
  if (!Array.isArray(value)) return false;
  return shape === 'array' || (value.length === shape && value.every((v) => typeof v === 'number'));
}

function describe(shape: Shape): string {
  if (shape === 'number') return 'a number';
  return shape === 'array' ? 'an array' : `${shape} numbers`;
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
