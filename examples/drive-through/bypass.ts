/**
 * The same policy with one rule more, which goes around the decision: what is on the screen is sent.
 *
 * Gives  a program that does not load. The compiler refuses the line as well, so it has to be told to expect that.
 * Never  part of the policy.
 */
import { program, rule, ruleset } from '../../src/index.ts';
import { drive, parts } from './policy.ts';

const { id, line, sku, qty } = drive.vars;

const shortcut = ruleset('shortcut', {
  // @ts-expect-error: proposalView.onScreen is fallible: it cannot drive intent.sendOrder. Go through decision.approved.*
  send: rule(drive.intent.sendOrder({ id, line, sku, qty })).when(drive.proposalView.onScreen({ wish: id, line, sku, qty })),
});

export const bypassed = program({ ...parts, rules: [...parts.rules, shortcut] });
