/** Whether this is Node, and no page. */
export const isNode = (): boolean => typeof process !== 'undefined' && process.versions?.node !== undefined;
