/** Used parts of the library that reads and writes YAML, seventy modules, which the built package holds in this one. */
export { parseDocument, stringify, visit } from 'yaml';
