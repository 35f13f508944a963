/**
 * The small bank that the counterexamples are about: payments, what is seen, and a few switches.
 *
 * Gives  one ontology and the rows of its reports.
 * Never  holds a rule.
 */
import * as z from 'zod';
import { ActorId, RowId } from '../../dsl/stamp.ts';
import { defineOntology } from '../../dsl/ontology.ts';
import { row } from '../../dsl/report.ts';
import { keyed } from '../../dsl/shape.ts';
import type { Program } from '../../dsl/program.ts';
import { program, type ProgramParts } from '../../dsl/program.ts';

const amount = z.int().nonnegative();

export const bank = defineOntology({
  observation: {
    order: keyed({ to: z.string() }, { paid: amount }),
    open: keyed({}, { isOpen: z.boolean() }),
    boss: keyed({ user: ActorId }, {}),
    today: keyed({}, { day: z.int() }),
    limit: keyed({}, { most: amount }),
    fresh: { to: z.string() },
    blocked: { to: z.string() },
    lie: { to: z.string() },
    scan: keyed({}, { to: z.string() }),
    noise: { text: z.string() },
  },
  candidate: { seen: { to: z.string(), n: amount } },
  proposal: { leave: { to: z.string() }, first: {}, second: {}, step: { k: z.int() } },
  action: { pay: { in: { to: z.string(), n: amount }, records: { day: z.int() } }, follow: { in: { to: z.string() } } },
  fact: { known: { to: z.string() }, at: { to: z.string() }, score: { z: z.int() } },
  candidateView: { total: { n: z.int() }, pair: { whose: RowId, z: z.int() } },
  proposalView: { age: { n: amount, z: z.int() }, waiting: { to: z.string() } },
});

/** The payments of a bank of which an act is a payee, not a proposal. */
export const bankByPayee = defineOntology({
  observation: { order: keyed({ to: z.string() }, { paid: amount }), today: keyed({}, { day: z.int() }), noise: { text: z.string() } },
  action: { pay: { in: { to: z.string(), n: amount }, records: { day: z.int() }, identity: ['to'] } },
});

export function bankProgram(
  parts: Pick<ProgramParts, 'rules' | 'invariants'>,
  ontology: ProgramParts['ontologies'][number] = bank,
): Program {
  return program({ name: 'bank', ontologies: [ontology], ...parts });
}

export const pay = (to: string, n: number) => row(bank.proposal.pay, { to, n });
export const seen = (to: string, n = 1) => row(bank.candidate.seen, { to, n });
export const leave = (to: string) => row(bank.proposal.leave, { to });
export const step = (k: number) => row(bank.proposal.step, { k });
export const first = row(bank.proposal.first, {});
export const second = row(bank.proposal.second, {});
export const follow = (to: string) => row(bank.proposal.follow, { to });

export const order = (to: string, paid: number) => row(bank.observation.order, { to, paid });
export const open = (isOpen: boolean) => row(bank.observation.open, { isOpen });
export const boss = (user: string) => row(bank.observation.boss, { user: ActorId.parse(user) });
export const today = (day: number) => row(bank.observation.today, { day });
export const limit = (most: number) => row(bank.observation.limit, { most });
export const fresh = (to: string) => row(bank.observation.fresh, { to });
export const blocked = (to: string) => row(bank.observation.blocked, { to });
export const lie = (to: string) => row(bank.observation.lie, { to });
export const scan = (to: string) => row(bank.observation.scan, { to });
export const noise = row(bank.observation.noise, { text: 'noise' });
