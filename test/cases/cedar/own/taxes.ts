/** Two clients, their documents, and preparers who are assigned to some of them or linked to one. */
import type { JsonRecord } from '../cases.ts';
import { taxes } from '../taxes.ts';
import { asks, entity, links, ref, type OwnCase } from './case.ts';

const assigned = (organization: string, serviceline: string, location: string) => ({ organization, serviceline, location });
const preparer = (name: string, location: string, ...assigned_orgs: readonly ReturnType<typeof assigned>[]) =>
  entity(`Professional::${name}`, { location, assigned_orgs });
const document = (name: string, serviceline: string, location: string, owner: string) =>
  entity(`Document::${name}`, { serviceline, location, owner: ref(owner) });
const consent = (client: string, ...team_region_list: readonly string[]) => ({ consent: { client: ref(client), team_region_list } });

const view = (who: string, what: string, reasons: readonly string[], context: JsonRecord = consent('Client::ann', 'OSL', 'ROM')) =>
  asks(`Professional::${who}`, 'viewDocument', `Document::${what}`, reasons, context);
const UNASSIGNED = 'is neither assigned nor linked';

export const taxCases: readonly OwnCase[] = [
  {
    policy: taxes,
    known: {
      entities: [
        entity('Client::ann', { organization: 'o1' }),
        entity('Client::ben', { organization: 'o2' }),
        document('a', 'corporate', 'OSL', 'Client::ann'),
        document('b', 'private', 'OSL', 'Client::ann'),
        document('c', 'corporate', 'ROM', 'Client::ann'),
        document('d', 'corporate', 'OSL', 'Client::ben'),
        entity('Document::e', { serviceline: 'corporate', location: 'OSL' }),
        preparer('pat', 'OSL', assigned('o1', 'corporate', 'OSL'), assigned('o2', 'private', 'ROM')),
        preparer('quin', 'ROM'),
        entity('Professional::rover', { assigned_orgs: [assigned('o1', 'corporate', 'OSL')] }),
      ],
      linked: links(['adhoc-access', 'Professional::quin', 'Document::b'], ['adhoc-access', 'Professional::quin', 'Document::e']),
    },
    requests: [
      view('pat', 'a', []),
      view('quin', 'b', []),
      view('quin', 'a', [UNASSIGNED]),
      // Each part of an assignment counts, and parts of two are no third.
      ...['b', 'c'].map((name) => view('pat', name, [UNASSIGNED])),
      view('pat', 'd', [UNASSIGNED], consent('Client::ben', 'OSL')),
      view('pat', 'a', ['its owner did not consent'], consent('Client::ben', 'OSL')),
      view('pat', 'a', ['the consent is for other places'], consent('Client::ann', 'ROM')),
      view('pat', 'a', ['its owner did not consent', 'the consent is for other places'], {}),
      view('rover', 'a', ['nobody says where the preparer is']),
      view('quin', 'e', ["is nobody's"]),
    ],
  },
];
