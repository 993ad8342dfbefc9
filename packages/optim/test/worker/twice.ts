// A problem that builds on another one, with that one's module.
import { defineProblem } from '@gradsim/optim';
import other from './problem.ts';

export default defineProblem(({ device }) => other({ settings: {}, device }));
