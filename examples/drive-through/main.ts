/**
 * `npm start`: tells the story.
 *
 * Never  exits with 0 after a story that broke off.
 */
import { story } from './story.ts';

const { lines } = await story();
console.log(lines.join('\n'));
