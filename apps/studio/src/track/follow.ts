// What follows a thing in a film, as `gradsim track` does, loaded when it is needed.
export { courseIn } from '../../../../packages/gradsim/src/track/course.ts';
export { follow, projectOf } from '../../../../packages/gradsim/src/track/follow.ts';
export { fitSection, trackFacts, trackMotion } from '../../../../packages/gradsim/src/track/sections.ts';
export { motionCsv, summaryOf } from '../../../../packages/gradsim/src/track/tables.ts';
