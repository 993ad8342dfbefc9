import { MARKED_FRAME } from '../kinds.ts';
import type { FormTexts } from './texts.ts';

/** Fields that hold for the pictures as they are turned, and those that hold for one film. */
export const OF_A_PICTURE: readonly string[] = ['track', 'corners', 'ends', 'origin', 'marks', 'retouch', MARKED_FRAME];
export const OF_A_FILM: readonly string[] = [...OF_A_PICTURE, 'first', 'last', 'upright', 'without'];

/** Fields without those of some names, and those of them alone. */
export const remainingFields = (fields: FormTexts, names: readonly string[]): FormTexts =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
export const chosenFields = (fields: FormTexts, names: readonly string[]): FormTexts =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
