import type { FieldKey } from '@gradsim/core';

/** Returns the key of a field given by reference or by key. */
export const keyOf = (field: FieldKey): string => (typeof field === 'string' ? field : field.key);
