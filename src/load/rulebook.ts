/**
 * The rulebook: the rules behind a relation, in words, and every reason that the rules can give to a person or a model.
 *
 * Reads  the author's rules and the clauses of decides.
 * Gives  entries with rule id, clause and place in the source, for pages, reviews and translations.
 * Never  runs a rule: it is of a program, not of a world.
 */
import { namespaceOf, ownName } from '../../dsl/law.ts';
import type { Literal } from '../../dsl/ir.ts';
import type { Authored } from './authored.ts';
import { authoredClauses, type Decide } from './clauses.ts';
import { record } from './intake.ts';
import { atomText, bodyText } from './words.ts';

/** A rule, or a clause of a decide, that gives rows of a relation. */
export interface RuleInWords {
  readonly rule: string;
  readonly relation: string;
  /** `needs "the order is yours"`. */
  readonly clause?: string;
  readonly location?: string;
  readonly text: string;
}

/** A reason that a decision can have. */
export interface GivenReason {
  /** What it is about: "proposal.refund". */
  readonly about: string;
  /** `held` asks a person, `pending` waits. */
  readonly verdict: 'rejected' | 'revoked' | 'held' | 'pending';
  /** Absent where a rule takes it from a row: then it is as good as that row. */
  readonly reason?: string;
  readonly rule: string;
  readonly location?: string;
}

/** The rules whose head is this relation, in the order in which they were written; of a decision the clauses too. */
export function rulesFor(relation: string, authored: readonly Authored[], decides: readonly Decide[]): RuleInWords[] {
  return [
    ...authored.filter(({ role, head }) => role !== 'clause' && head?.relation === relation).map(ruleInWords),
    ...decides.flatMap((decide) => clausesInWords(decide).filter((one) => one.relation === relation)),
  ];
}

function ruleInWords({ id, head, own, location }: Authored): RuleInWords {
  const text = head === undefined ? bodyText(own) : `${atomText(head)} when ${bodyText(own)}`;
  return { rule: id, relation: head?.relation ?? '', text, ...(location === undefined ? {} : { location }) };
}

function clausesInWords(decide: Decide): RuleInWords[] {
  const told = new Map(decide.clauses.map(({ tag, ir }) => [`${decide.ir.name}.${tag}`, `${ir.clause} ${JSON.stringify(ir.reason)}`]));
  return authoredClauses(decide).map(({ id, head, context, own, counts, location }) => {
    const clause = told.get(id);
    const body = bodyText(own.map(refusing)).replaceAll(counts?.relation ?? ' ', counts?.decisions ?? ' ');
    const judged = bodyText(id.endsWith('.intent') ? context : own);
    return {
      rule: id,
      relation: head?.relation ?? '',
      ...(clause === undefined ? {} : { clause }),
      ...(location === undefined ? {} : { location }),
      text: clause === undefined ? `${head?.relation ?? ''} when ${judged}, and no clause is against it` : `${clause}: ${body}`,
    };
  });
}

/** A clause that asks rejects by a no; a yes only lets pass what nothing else refuses. */
function refusing(literal: Literal): Literal {
  if (literal.kind !== 'atom' || namespaceOf(literal.relation) !== 'confirmed') return literal;
  return { ...literal, columns: record([...Object.entries(literal.columns), ['answer', { const: 'no' }]]) };
}

/** Every reason, by what it is about, in the order in which it was written. */
export function reasonsIn(authored: readonly Authored[], decides: readonly Decide[]): GivenReason[] {
  return [...decides.flatMap(reasonsOf), ...authored.flatMap((one) => (one.role === 'rule' ? handWritten(one) : []))];
}

function reasonsOf({ ir, source, clauses }: Decide): GivenReason[] {
  return clauses.flatMap(({ tag, ir: clause }): GivenReason[] => {
    const location = clause.location ?? ir.location;
    const about = { about: source.relation, rule: `${ir.name}.${tag}`, ...(location === undefined ? {} : { location }) };
    const { reason } = clause;
    switch (clause.clause) {
      case 'awaits':
        return [{ ...about, verdict: 'pending', reason }];
      case 'asks':
        return [
          { ...about, verdict: 'held', reason },
          { ...about, verdict: 'rejected', reason: `declined: ${reason}` },
        ];
      case 'stillNeeds':
        return [];
      case 'needs':
      case 'needsEvidence':
      case 'rejects':
      case 'limits':
      case 'expires':
        return [{ ...about, verdict: 'rejected', reason }];
    }
  });
}

function handWritten({ id, head, own, location }: Authored): GivenReason[] {
  const namespace = head === undefined ? undefined : namespaceOf(head.relation);
  if (head === undefined || (namespace !== 'decision.rejected' && namespace !== 'decision.revoked')) return [];
  const reason = head.columns['reason'];
  const decided = ownName(head.relation);
  const judged = own.find((literal) => literal.kind === 'atom' && ownName(literal.relation) === decided);
  return [
    {
      about: judged?.kind === 'atom' ? judged.relation : decided,
      verdict: namespace === 'decision.rejected' ? 'rejected' : 'revoked',
      ...(reason !== undefined && 'const' in reason ? { reason: String(reason.const) } : {}),
      rule: id,
      ...(location === undefined ? {} : { location }),
    },
  ];
}
