/**
 * A program that asks a person before a declared query is read, and a scenario in which a model wishes to read it.
 */
import * as z from 'zod';
import { ActorId, always, decide, defineOntology, keyed, program, row } from '../../src/index.ts';
import { scenario } from '../../src/testing/testing.ts';

const desk = defineOntology({
  observation: { clerk: keyed({ user: ActorId }, {}) },
  query: { ordersOf: { in: { customer: z.string() }, out: { order: z.string() } } },
});
const { by, customer } = desk.vars;
const reads = decide('reads', desk.proposal.queryRequested.ordersOf({ customer }))
  .asks('somebody looks', always, { by: desk.observation.clerk({ user: by }) })
  .approvesWithoutConditions('somebody looks at each');
const asked = program({ name: 'desk', ontologies: [desk], rules: [reads] });

export const requests = () =>
  scenario(asked)
    .given(row(desk.observation.clerk, { user: ActorId.parse('mia') }))
    .proposes(row(desk.proposal.queryRequested.ordersOf, { customer: 'ada' }));
