/**
 * The kit for users' own tests: scenarios, and which rules no test makes fire.
 *
 * Gives  the names of the published face `countersign/testing`.
 * Never  needs a test runner: what fails is an error with a message, whoever catches it.
 */
export { coverage } from './coverage.ts';
export { scenario } from './scenario.ts';

export type { Coverage, CoverageReport, Unfired } from './coverage.ts';
export type { Played, ScenarioOptions } from './play.ts';
export type { Scenario } from './scenario.ts';
export type { Labelled, Said, Which } from './steps.ts';
