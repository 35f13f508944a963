/**
 * An incident room: governed reads with a budget, rows that come back as evidence, and restarts that rest on what somebody looked up.
 *
 * Gives  the program `app`, its ontology and its brands, for tests of every floor.
 */
import * as z from 'zod';
import { brand, countOf, decide, defineOntology, gte, invariant, keyed, not, program, rule, ruleset } from '../../src/index.ts';

export const ServiceId = brand('ServiceId', z.string());
export const OperatorId = brand('OperatorId', z.string());
export const SessionId = brand('SessionId', z.string());

export const incident = defineOntology({
  scope: { session: SessionId, actor: OperatorId },
  observation: {
    service: keyed({ service: ServiceId }, { tier: z.enum(['gold', 'silver']) }),
    dependsOn: { service: ServiceId, on: ServiceId },
    onCall: keyed({ operator: OperatorId }, {}),
  },
  action: { restart: { in: { service: ServiceId }, evidence: { log: z.string() } } },
  fact: { hit: { service: ServiceId } },
  query: {
    impacted: { in: { service: ServiceId }, out: { affected: ServiceId } },
    logsOf: { in: { service: ServiceId }, out: { entry: z.string() } },
  },
});
const { service, affected, session, actor, entry, tier } = incident.vars;
const { observation, candidate, proposal, decision, queryresult, query, fact, due } = incident;
const through = service.as('through');

/** A query's own rules may be recursive; they run when the query does. */
export const impacted = ruleset('impacted', {
  direct: rule(query.impacted({ service, affected })).when(observation.dependsOn({ service: affected, on: service })),
  further: rule(query.impacted({ service, affected })).when(
    query.impacted({ service, affected: through }),
    observation.dependsOn({ service: affected, on: through }),
  ),
});
export const logs = ruleset('logs', {
  all: rule(query.logsOf({ service, entry })).when(observation.service({ service }), candidate.restartResult({ log: entry })),
});

/** Two reads a session, whatever the query. */
const isSpent = gte(countOf(decision.approved.queryExecute, { per: { session } }), 2);
export const reads = [
  decide('impactReads', proposal.queryRequested.impacted({ session, service, actor }))
    .needs('a known service', observation.service({ service }))
    .needs('on call', observation.onCall({ operator: actor }))
    .rejects('two reads a session', isSpent)
    .otherwiseApproves(),
  decide('logReads', proposal.queryRequested.logsOf({ session, service, actor }))
    .needs('a known service', observation.service({ service, tier }))
    .needs('on call', observation.onCall({ operator: actor }))
    .rejects('two reads a session', isSpent)
    .limits('one log read a session', { per: { session }, max: 1 })
    .otherwiseApproves(),
];

/** Rows come back as evidence, and are judged like a candidate. */
export const rows = decide('rows', queryresult.impacted({ service, affected }))
  .needs('a known service', observation.service({ service: affected }))
  .otherwiseAccepts();

export const restarts = decide('restarts', proposal.restart({ service, actor }))
  .needs('on call', observation.onCall({ operator: actor }))
  .needsEvidence('somebody looked', queryresult.impacted({ service }))
  .stillNeeds('still known', observation.service({ service }))
  .otherwiseApproves();

export const facts = ruleset('facts', { hit: rule(fact.hit({ service: affected })).when(decision.accepted.impacted({ affected })) });

export const app = program({
  name: 'incident',
  ontologies: [incident],
  rules: [...reads, rows, restarts, facts],
  queries: [impacted, logs],
  invariants: [invariant('an open restart of an unknown service').never(due.restart({ service }), not(observation.service({ service })))],
});
