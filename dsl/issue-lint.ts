/**
 * The words of what only source shows: findings of the lint, beside the issues of a program that does not load.
 *
 * Reads  nothing.
 * Gives  why each is told and the next move, by code.
 * Never  words for what the loader tells: the lint tells those in the loader's own.
 */
export const LINT_ISSUES = {
  'lint/not-followed': {
    why: 'What cannot be read cannot be judged; passing over it would call a program sound that nobody has seen.',
    fix: 'Write it with constants, helper functions, spreads and texts that are known, or accept that the loader alone judges it.',
  },
  'lint/cast': {
    why: 'A cast tells the compiler to look away, and what it would have refused may be the way around a decision.',
    fix: 'Remove the cast; where a type is in the way, declare the column, the brand or the relation that you mean.',
  },
  'lint/suppressed': {
    why: 'The comment hides whatever the compiler says about the rule below it, now and after every change.',
    fix: 'Remove the comment and mend what the compiler says.',
  },
  'lint/unused': {
    why: 'What stands in no program decides nothing: a rejection that was written and never loaded protects nobody.',
    fix: 'Add it to a ruleset or a program, or delete it.',
  },
  'lint/undecided': {
    why: 'A wish that no rule judges waits for good, and whoever made it is told nothing.',
    fix: 'Write a decide for it, or delete the declaration.',
  },
  'lint/evidence-only-gate': {
    why: 'A decision that only models have a say in lets through what models say.',
    fix: 'Let it rest on a trusted or approved row too, or write a decide that ends with approvesWithoutConditions and its reason.',
  },
  'lint/absence-decides': {
    why: 'What nobody reported yet is absent too: such a gate stands open from the first moment, and whenever a report is late.',
    fix: 'Let it rest on a row that is there when it may pass, and reject where the other one is there.',
  },
  'lint/reason-from-evidence': {
    why: 'A reason is read by people and by models as the word of the rules; here a model writes it.',
    fix: 'Write the reason as a constant, or take it from a trusted row.',
  },
  'lint/receipt-as-budget': {
    why: 'A receipt comes after its decision, so that many wishes pass before the first of them counts.',
    fix: 'Use limits, which count what was approved; or an invariant over due and started acts.',
  },
  'lint/not-yet': {
    why: 'Rows of one reply are decided one after the other: under not, a decision that is made later reads as one that is not made.',
    fix: 'Await the decision in a decide, or read the proposals of the reply by their capture.',
  },
  'lint/variable-once': {
    why: 'A variable that stands in one place joins nothing; most often another name was meant.',
    fix: 'Use the name that was meant, or leave the column out: a column that is left out may hold anything.',
  },
  'lint/not-compiled': {
    why: 'The lint reads what the compiler understands; where that is wrong, a finding may be missing.',
    fix: 'Run tsc, and mend what it says.',
  },
} as const;
