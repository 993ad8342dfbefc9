/**
 * Parts used of the library that reads and writes YAML; the built package bundles its seventy modules into this one.
 */
export { parseDocument, stringify, visit } from 'yaml';
