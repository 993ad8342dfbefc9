// For packages of gradsim alone, which keep files between runs: apart from `internal`, so that no page loads it. It changes
// without notice.
export { KeptFiles } from './devices/cpu/kept-files.ts';
