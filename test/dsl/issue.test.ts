/** Issues: every code has its why and fix, and one error carries all that were found. */
import { describe, expect, test } from 'vitest';
import { CountersignError, isCountersignError, isIssueCode, issue, ISSUES, issueText } from '../../dsl/issue.ts';

const bypass = issue('load/cut-bypassed', 'fact.order is reached from candidate.order', ['candidate.order', 'fact.order']);
const twice = issue('load/rule-twice', 'rule id m.a is used twice');

describe('an issue', () => {
  test('is frozen data with the words of its code', () => {
    expect(bypass).toEqual({
      code: 'load/cut-bypassed',
      what: 'fact.order is reached from candidate.order',
      ...ISSUES['load/cut-bypassed'],
      trail: ['candidate.order', 'fact.order'],
    });
    expect(Object.isFrozen(bypass) && Object.isFrozen(bypass.trail)).toBe(true);
    expect(twice.trail).toEqual([]);
  });

  test('is printed as code and what, why, fix', () => {
    expect(issueText(bypass).split('\n')).toEqual([
      'load/cut-bypassed: fact.order is reached from candidate.order',
      `  why: ${ISSUES['load/cut-bypassed'].why}`,
      `  fix: ${ISSUES['load/cut-bypassed'].fix}`,
    ]);
  });

  test.each(Object.entries(ISSUES))('%s says why and what to do, each in a sentence', (code, { why, fix }) => {
    expect(code).toMatch(/^[a-z]+\/[a-z]+(-[a-z]+)*$/);
    for (const sentence of [why, fix]) expect(sentence).toMatch(/^[A-Z`].*\.$/s);
  });

  test('has a code of the table, and no name of the prototype is one', () => {
    expect(isIssueCode('load/malformed')).toBe(true);
    for (const wrong of ['load/none', 'toString', '__proto__', 7, undefined]) expect(isIssueCode(wrong)).toBe(false);
  });
});

describe('the error', () => {
  test('carries every issue, in order, in its text too', () => {
    const error = new CountersignError([bypass, twice]);
    expect(error.issues).toEqual([bypass, twice]);
    expect(error.message).toBe(`${issueText(bypass)}\n${issueText(twice)}`);
    expect(error.name).toBe('CountersignError');
    expect(Object.isFrozen(error.issues)).toBe(true);
  });

  test('keeps its cause', () => {
    const cause = new Error('below');
    expect(new CountersignError([twice], { cause }).cause).toBe(cause);
  });

  test('is known by its brand, also from another copy of the package', () => {
    expect(isCountersignError(new CountersignError([twice]))).toBe(true);
    expect(isCountersignError({ [Symbol.for('countersign.error')]: true, issues: [] })).toBe(true);
    for (const other of [new Error('x'), undefined, null, 'x', {}, { [Symbol.for('countersign.error')]: 'yes' }])
      expect(isCountersignError(other)).toBe(false);
  });

  test('is not looked for in a way that throws', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(isCountersignError(proxy)).toBe(false);
  });
});
