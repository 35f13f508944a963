import { describe, expect, test } from 'vitest';
import { isCountersignError, load, program, ruleset } from '../../src/index.ts';
import { beyondTypes, decisionsBeyondTypes, evaded } from './evasion.ts';

/** The codes that the loader gives for a program of these parts. */
function codesOf(rules: Parameters<typeof program>[0]['rules']): readonly string[] {
  try {
    load(program({ name: 'evasion', ontologies: [evaded], ...(rules === undefined ? {} : { rules }) }));
  } catch (error) {
    if (isCountersignError(error)) return error.issues.map(({ code }) => code);
    throw error;
  }
  return [];
}

describe('what a cast hides from the types', () => {
  test.each<[keyof typeof beyondTypes, string]>([
    ['neverBesideABindingAtom', 'load/cut-bypassed'],
    ['builderCastToAny', 'load/cut-bypassed'],
    ['relationCastInsideAnAggregate', 'load/cut-bypassed'],
    ['nullAsALiteral', 'load/malformed'],
  ])('A04 A11 the loader finds by name: %s', (name, code) => {
    expect(codesOf([ruleset('evasion', { rule: beyondTypes[name] })])).toContain(code);
  });

  test.each<[keyof typeof decisionsBeyondTypes, string]>([
    ['neverInNeeds', 'load/needs-evidence'],
    ['endCastToAny', 'load/no-needs'],
  ])('A11 the loader finds in a decision: %s', (name, code) => {
    expect(codesOf([decisionsBeyondTypes[name]])).toContain(code);
  });
});
