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
  'lint/not-compiled': {
    why: 'The lint reads what the compiler understands; where that is wrong, a finding may be missing.',
    fix: 'Run tsc, and mend what it says.',
  },
} as const;
