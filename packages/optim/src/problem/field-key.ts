import type { FieldKey } from '@gradsim/core';

/** The key of a field. */
export const keyOf = (field: FieldKey): string => (typeof field === 'string' ? field : field.key);
