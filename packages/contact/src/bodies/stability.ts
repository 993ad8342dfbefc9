import type { BuildContext } from '@gradsim/core';
import type { TouchingShape } from './shapes.ts';

export function addSolidRates(_: BuildContext, __: readonly TouchingShape[]): void {}
