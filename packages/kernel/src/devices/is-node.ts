/** Returns whether this is Node and not a page. */
export const isNode = (): boolean => typeof process !== 'undefined' && process.versions?.node !== undefined;
