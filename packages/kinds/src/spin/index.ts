import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const spin = defineKind({
  name: 'spin',
  version: 2,
  title: 'A disc or top spins and slows down',
  finds: 'what brakes a disc or top that spins: dry friction, oil or air, from a film of a mark on it, seen from above',
  answers: ['deceleration', 'torque', 'dry friction', 'viscous friction', 'air friction'],
  meaning: {
    deceleration: 'how much slower it turns after a second, in radians a second, at first',
    torque: 'how hard friction twists against its turning, at first',
    'dry friction': 'how much slower it turns after each second by the rubbing of its axle, as fast as it may turn',
    'viscous friction': 'the part of its speed that oil takes in each second: 0.1 is a tenth',
    'air friction': 'how much the air brakes it: 0.01 takes a hundredth of its speed on each radian',
  },
  candidates: [
    { words: 'film it until it is at rest', change: { seconds: 2 } },
    { words: 'spin it twice as fast', change: { values: (v) => ({ 'angular velocity': 2 * v['angular velocity'] }) } },
  ],
  // A dark mark looks like a shadow.
  mask: { shadows: false },
  turns: true,
  moving: 'spinners.position',
  drawing: `
    <circle class="ground" cx="80" cy="45" r="38" fill="none"/>
    <circle class="thing" cx="104" cy="33" r="7"/>
    <path class="path" d="M80 18A27 27 0 0 0 54 52"/>
    <path class="length" d="M80 45L104 33"/>
    <text x="62" y="70">radius</text>`,
  note: 'Its angular velocity w, positive anticlockwise, falls as dw/dt = -(a + b w + c w^2): a by dry friction, b by viscous friction, c by air. By a alone w falls evenly, by b alone as exp(-b t), by c alone 1/w grows evenly. Times the moment of inertia, each is a torque. Angle and angular velocity are those at the first frame that counts.',
  motions: { 'spins and slows down': 'any' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
