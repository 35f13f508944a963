/* eslint-disable @typescript-eslint/no-explicit-any -- a chain of clauses of any length has no one type */
/** What a decide can get wrong: its end, its limits, its cards, what it records and what must still hold. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  actor,
  amount,
  by,
  candidate,
  day,
  decision,
  fact,
  id,
  k,
  K,
  loweredOf,
  max,
  observation,
  other,
  pays,
  programWith,
  proposal,
  queryresult,
  scope,
  session,
  small,
  told,
} from './fixture.ts';
import { always, decide, defineOntology, eq, keyed, program, rule, ruleset, together } from './language.ts';

const seen = observation.seen({ k });
const needing = () => decide('pings', proposal.ping({ k, actor })).needs('seen', seen);

describe('the end of a decide', () => {
  test.each<[string, unknown, string]>([
    [
      'a candidate is not approved',
      decide('orders', candidate.order({ k })).needs('seen', seen).otherwiseApproves(),
      'load/decide-end: decide orders: candidate.order has no decision.approved.order',
    ],
    [
      'a proposal is not accepted',
      decide('hints', proposal.hint({ k })).needs('seen', seen).otherwiseAccepts(),
      'load/decide-end: decide hints: proposal.hint has no decision.accepted.hint',
    ],
    [
      'a request is not accepted',
      decide('finds', proposal.queryRequested.find({ k })).needs('seen', seen).otherwiseAccepts(),
      'load/decide-end: decide finds: proposal.queryRequested.find has no decision.accepted.queryExecute',
    ],
    [
      'an approval needs something',
      decide('hints', proposal.hint({ k })).otherwiseApproves(),
      'load/no-needs: decide hints: proposal.hint is approved without any needs',
    ],
    [
      'waiting is no need',
      decide('hints', proposal.hint({ k })).awaits('seen', seen).otherwiseApproves(),
      'load/no-needs: decide hints: proposal.hint is approved without any needs',
    ],
    [
      'a word of a model is no need',
      decide('hints', proposal.hint({ k })).needsEvidence('a word', candidate.order({ k })).otherwiseApproves(),
      'load/no-needs: decide hints: proposal.hint is approved without any needs',
    ],
    [
      'an observation is not judged',
      decide('seens', seen).needs('limit', observation.limit({ k })).otherwiseAccepts(),
      'load/decide-source: decide seens: observation.seen is not what a decide judges',
    ],
    ['a fact is not judged', decide('facts', fact.a({ k })), 'load/decide-source: decide facts: fact.a is not what a decide judges'],
  ])('%s', (_claim, wrong, issue) => {
    expect(told(programWith(wrong))[0]).toBe(issue);
  });

  test.each<[string, unknown]>([
    ['rows of a read are accepted', decide('finds', queryresult.find({ k })).needs('seen', seen).otherwiseAccepts()],
    ['rows of a read are approved', decide('finds', queryresult.find({ k })).needs('seen', seen).otherwiseApproves()],
    ['a reason makes an approval without needs', decide('hints', proposal.hint({ k })).approvesWithoutConditions('a hint does nothing')],
    ['without an end the rest stays pending', decide('hints', proposal.hint({ k })).rejects('seen', seen)],
    [
      'a word of a model is enough where it is said why',
      decide('hints', proposal.hint({ k })).needsEvidence('a word', candidate.order({ k })).approvesWithoutConditions('a hint is shown'),
    ],
  ])('%s', (_claim, right) => {
    expect(told(programWith(right))).toEqual([]);
  });

  test('one source has one decide, and hand-written verdicts beside it', () => {
    const again = decide('again', proposal.ping({ k })).needs('seen', seen).otherwiseApproves();
    expect(told(programWith(needing().otherwiseApproves(), again))).toEqual([
      'load/decide-twice: decide again: proposal.ping has another decide',
    ]);
    const verdict = ruleset('m', {
      no: rule(small.decision.rejected.ping({ id, k, reason: 'x' })).when(proposal.ping({ id, k }), observation.limit({ k })),
    });
    expect(told(programWith(needing().otherwiseApproves(), verdict))).toEqual([]);
  });
});

describe('limits', () => {
  test.each<[string, object, string]>([
    [
      'sum a column of the source',
      { sum: max, per: { k }, max: 3 },
      'load/limits-column: decide pays: limits "x": max is not a column of proposal.pay',
    ],
    [
      'group by columns of the source',
      { sum: amount, per: { nope: k }, max: 3 },
      'load/limits-column: decide pays: limits "x": proposal.pay has and records no column nope',
    ],
    [
      'group by no column that is of another type',
      { sum: amount, per: { k: day }, max: 3 },
      'load/sort-clash: decide pays: limits "x": variable day has two sorts: string<Day> in observation.today.day, string<K> in proposal.pay.k',
    ],
    [
      'compare with a number',
      { sum: amount, per: { k }, max: 'three' },
      'load/comparison-type: decide pays: limits "x": gt compares integer<Cents> with "three": "three" is no number',
    ],
  ])('%s', (_claim, limit, issue) => {
    expect(told(programWith(pays().limits('x', limit).otherwiseApproves()))).toContain(issue);
  });

  test('count rows, sum a column, and group by payload, stamps and what is recorded', () => {
    const one = pays()
      .limits('many', { per: { actor }, max: 3 })
      .limits('much', { sum: amount, per: { k, session: session.as('none') }, max });
    expect(told(programWith(one.otherwiseApproves()))).toEqual([
      'load/variable-unbound: decide pays: limits "much": variable none is not bound yet',
    ]);
    expect(told(programWith(pays().limits('much', { sum: amount, per: { actor, day }, max }).otherwiseApproves()))).toEqual([]);
  });

  test('sum only integers that cannot be negative', () => {
    const of = (amountSchema: z.ZodType) => {
      const own = defineOntology({ scope, observation: { seen: { k: K } }, action: { pay: { in: { k: K, amount: amountSchema } } } });
      const one = decide('pays', own.proposal.pay({ k, amount }))
        .needs('seen', own.observation.seen({ k }))
        .limits('x', { sum: amount, per: { k }, max: 5 })
        .otherwiseApproves();
      return told(program({ name: 'own', ontologies: [own], rules: [one] }));
    };
    expect(of(z.int().nonnegative())).toEqual([]);
    expect(of(z.int().positive())).toEqual([]);
    expect(of(z.int().min(0).max(9))).toEqual([]);
    expect(of(z.int())).toEqual(['load/limits-negative: decide pays: limits "x": proposal.pay.amount may be negative']);
    expect(of(z.int().min(-1))).toEqual(['load/limits-negative: decide pays: limits "x": proposal.pay.amount may be negative']);
    expect(of(z.number().nonnegative())).toEqual(['load/arithmetic-type: decide pays: limits "x": a limit sums integers, not number']);
  });
});

describe('reasons', () => {
  test('B39 say something: of a clause, of an approval without conditions, of a verdict by hand, and the name of an invariant', () => {
    const nothing = (place: string, text = '""') => [`load/no-reason: ${place}: ${text} says nothing`];
    expect(told(programWith(needing().rejects('', eq(k, 'x')).otherwiseApproves()))).toEqual(nothing('decide pings: rejects'));
    expect(told(programWith(needing().stillNeeds('\t', eq(k, 'x')).otherwiseApproves()))).toEqual(
      nothing('decide pings: stillNeeds', '"\\t"'),
    );
    expect(told(programWith(decide('pings', proposal.ping({ k })).approvesWithoutConditions(' ')))).toEqual(
      nothing('decide pings: why it is unconditional', '" "'),
    );
    const byHand = ruleset('m', { r: rule(decision.rejected.ping({ id, k, reason: '' })).when(proposal.ping({ id, k })) });
    expect(told(programWith(needing().otherwiseApproves(), byHand))).toEqual(nothing('rule m.r: reason'));
    expect(told(programWith(needing().rejects('!', eq(k, 'x')).otherwiseApproves()))).toEqual([]);
  });

  test.each([
    ['a Hangul filler', '\u3164'],
    ['a Hangul filler of half width', '\uffa0'],
    ['the fillers of Hangul syllables', '\u115f\u1160'],
    ['an empty Braille cell', '\u2800'],
    ['a note without a head', '\u{1d159}'],
    ['zero-width characters', '\u200b\u200d\u2060\ufeff'],
    ['combining marks alone', '\u0301\u20dd'],
    ['a soft hyphen', '\u00ad'],
    ['a selector and a tag', '\ufe0f\u{e0041}'],
    ['several of them, and a space', '\u3164 \u2800'],
  ])('say nothing that are %s', (_what, reason) => {
    expect(told(programWith(needing().rejects(reason, eq(k, 'x')).otherwiseApproves()))).toEqual([
      expect.stringMatching(/^load\/no-reason: decide pings: rejects: .* says nothing$/u),
    ]);
    // One character that can be seen beside them is something to read.
    for (const seen of ['é', '한', '…', '👩\u200d🍳', 'e\u0301'])
      expect(told(programWith(needing().rejects(`${reason}${seen}`, eq(k, 'x')).otherwiseApproves()))).toEqual([]);
  });
});

describe('asks and expires', () => {
  test('two asks of one reason are refused', () => {
    const twice = needing().asks('sure?', always).asks('sure?', eq(k, 'x')).otherwiseApproves();
    expect(told(programWith(twice))).toEqual(['load/asks-twice: decide pings: two asks of one reason, "sure?"']);
    expect(told(programWith(needing().asks('sure?', always).asks('really?', eq(k, 'x')).otherwiseApproves()))).toEqual([]);
  });

  test('who may answer is told by the actor that answered', () => {
    expect(
      told(
        programWith(
          needing()
            .asks('sure?', always, { by: observation.boss({ user: by }) })
            .otherwiseApproves(),
        ),
      ),
    ).toEqual([]);
    const brand = told(
      programWith(
        needing()
          .asks('sure?', always, { by: observation.seen({ k: by }) })
          .otherwiseApproves(),
      ),
    );
    expect(brand).toEqual([
      'load/sort-clash: decide pings: asks "sure?": variable by has two sorts: string<ActorId> in confirmed.ping.by, string<K> in observation.seen.k',
    ]);
  });

  test('only what waits or is asked about expires', () => {
    const late = observation.today({ day: 'late' });
    expect(told(programWith(needing().expires('too late', late).otherwiseApproves()))).toEqual([
      'load/expires: decide pings: expires "too late": nothing is awaited or asked',
    ]);
    expect(told(programWith(needing().awaits('limit', observation.limit({ k })).expires('too late', late).otherwiseApproves()))).toEqual(
      [],
    );
    expect(told(programWith(needing().asks('sure?', always).expires('too late', late).otherwiseApproves()))).toEqual([]);
  });
});

describe('records and stillNeeds', () => {
  const quotes = () => decide('quotes', candidate.quote({ k, amount }));

  test('what is recorded is declared, given once, and given at all', () => {
    expect(told(programWith(quotes().needs('seen', seen).otherwiseAccepts()))).toEqual([
      'load/records-column: decide quotes: candidate.quote records day, and no records clause gives it',
    ]);
    expect(
      told(programWith(quotes().needs('today', observation.today({ day })).records({ day }).records({ day }).otherwiseAccepts())),
    ).toEqual(['load/records-column: decide quotes: records gives day twice']);
    const unknown = quotes().needs('today', observation.today({ day })).records({ day, dey: day }).otherwiseAccepts();
    expect(told(programWith(unknown))[0]).toBe(
      'load/records-column: decide quotes: candidate.quote declares no records column dey (did you mean day?)',
    );
  });

  test('what is recorded is determined by the source row', () => {
    const log = defineOntology({
      scope,
      observation: { day: { day: K }, of: keyed({ k: K }, { day: K }), by: keyed({ day: K }, { k: K }) },
      action: { pay: { in: { k: K }, records: { day: K } } },
    });
    const own = (...atoms: object[]) => {
      const all = atoms.reduce((one: any, atom, index) => one.needs(`n${index}`, atom), decide('pays', log.proposal.pay({ k, actor })));
      return told(program({ name: 'own', ontologies: [log], rules: [all.records({ day }).otherwiseApproves()] }));
    };
    const undetermined = 'load/records-undetermined: decide pays: records day: its value is not determined by the row of proposal.pay';
    expect(own(log.observation.of({ k, day }))).toEqual([]);
    expect(own(log.observation.day({ day }))).toEqual([undetermined]);
    expect(own(log.observation.by({ k, day }))).toEqual([undetermined]);
    expect(own(log.observation.of({ k: other, day }))).toEqual([undetermined]);
    expect(own(log.observation.of({ k, day: other }), log.observation.of({ k: other, day }))).toEqual([]);
    expect(own(log.observation.of({ k: 'fixed', day }))).toEqual([]);
  });

  test('what must still hold is about starting an act', () => {
    expect(told(programWith(needing().stillNeeds('limit', observation.limit({ k })).otherwiseApproves()))).toEqual([]);
    const nothing = decide('hints', proposal.hint({ k }))
      .needs('seen', seen)
      .stillNeeds('limit', observation.limit({ k }))
      .otherwiseApproves();
    expect(told(programWith(nothing))).toContain('load/still-needs: decide hints: stillNeeds "limit": proposal.hint starts no act');
    expect(told(programWith(needing().stillNeeds('limit', observation.limit({ k }))))).toEqual([
      'load/still-needs: decide pings: stillNeeds "limit": there is no approval to add to',
    ]);
  });
});

describe('together', () => {
  test('groups evidence of the program, each in one group', () => {
    const group = (...sources: unknown[]) => together({ sources });
    expect(loweredOf(programWith(group(proposal.ping, proposal.pay))).groups).toEqual([['pay', 'ping']]);
    expect(told(programWith(group(observation.seen)))).toEqual([
      'load/together-source: together: observation.seen is not evidence of this program',
    ]);
    expect(told(programWith(group(proposal.ping, proposal.pay), group(proposal.ping)))).toEqual([
      'load/together-source: together: proposal.ping stands in two groups',
    ]);
  });
});
