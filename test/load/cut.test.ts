/** The five cuts on plain edges, and against an oracle that walks every path. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namespaceOf, ownName } from '../../dsl/law.ts';
import { cut, runtimeEdges, type Edge } from '../../src/load/cut.ts';

const PROPOSALS = new Set(['pay', 'hint', 'queryExecute']);
const gradeOfSource = (decided: string) => (PROPOSALS.has(decided) ? 'proposal' : 'candidate');
const edge = (from: string, to: string, by = 'r'): Edge => ({ from, to, by });
const trails = (...edges: readonly Edge[]) => cut(edges, gradeOfSource).map((issue) => issue.trail.join(' > '));

describe('the graph cut', () => {
  test.each<[string, Edge[], string[]]>([
    [
      'holds when a decision stands on the only path',
      [edge('candidate.c', 'decision.accepted.c'), edge('decision.accepted.c', 'fact.f')],
      [],
    ],
    [
      'A12 fails on a bypass that runs beside a gated path',
      [edge('candidate.c', 'decision.accepted.c'), edge('decision.accepted.c', 'fact.f'), edge('candidate.c', 'fact.f')],
      ['candidate.c > fact.f'],
    ],
    [
      'A10 fails through a helper view, told once with the whole trail',
      [edge('candidate.c', 'candidateView.v'), edge('candidateView.v', 'fact.f')],
      ['candidate.c > candidateView.v > fact.f'],
    ],
    [
      'fails through recursion',
      [edge('candidate.c', 'candidateView.v'), edge('candidateView.v', 'candidateView.v'), edge('candidateView.v', 'fact.f')],
      ['candidate.c > candidateView.v > fact.f'],
    ],
    [
      'tells each sink that is reached',
      [edge('candidate.c', 'fact.f'), edge('candidate.c', 'fact.g')],
      ['candidate.c > fact.f', 'candidate.c > fact.g'],
    ],
    [
      'tells each source that reaches',
      [edge('candidate.c', 'fact.f'), edge('candidate.d', 'fact.f')],
      ['candidate.c > fact.f', 'candidate.d > fact.f'],
    ],
    [
      'tells the shortest of two trails, and apart a view that reaches by itself',
      [
        edge('candidate.c', 'candidateView.v'),
        edge('candidateView.v', 'candidateView.w'),
        edge('candidateView.w', 'fact.f'),
        edge('candidateView.v', 'fact.f'),
      ],
      ['candidate.c > candidateView.v > fact.f', 'candidateView.w > fact.f'],
    ],
    [
      'cut 1: an approval is no gate to a fact',
      [edge('candidate.c', 'decision.approved.pay'), edge('decision.approved.pay', 'fact.f')],
      ['candidate.c > decision.approved.pay > fact.f'],
    ],
    ['cut 1: a rejection of a candidate is evidence', [edge('decision.rejected.c', 'fact.f')], ['decision.rejected.c > fact.f']],
    ['cut 1: a held card of a candidate is evidence', [edge('decision.held.c', 'fact.f')], ['decision.held.c > fact.f']],
    ['cut 1: the body of a query is evidence', [edge('query.q', 'fact.f')], ['query.q > fact.f']],
    [
      'cut 2: an acceptance is a gate to an intent',
      [edge('candidate.c', 'decision.accepted.c'), edge('decision.accepted.c', 'intent.pay')],
      [],
    ],
    ['A06 cut 2: evidence reaches an intent', [edge('candidate.c', 'intent.pay')], ['candidate.c > intent.pay']],
    [
      'cut 3: an acceptance is no gate between a proposal and an intent',
      [edge('proposal.hint', 'decision.accepted.c'), edge('decision.accepted.c', 'intent.pay')],
      ['proposal.hint > decision.accepted.c > intent.pay'],
    ],
    [
      'cut 3: an acceptance is one between a proposal and a fact',
      [edge('proposal.hint', 'decision.accepted.c'), edge('decision.accepted.c', 'fact.f')],
      [],
    ],
    ['cut 3: a rejection of a proposal is a wish', [edge('decision.rejected.pay', 'intent.pay')], ['decision.rejected.pay > intent.pay']],
    [
      'A27 cut 4: rows that were accepted reach an intent through a fact',
      [edge('queryresult.q', 'decision.accepted.q'), edge('decision.accepted.q', 'fact.f'), edge('fact.f', 'intent.pay')],
      ['queryresult.q > decision.accepted.q > fact.f > intent.pay'],
    ],
    [
      'cut 4: rows that were approved reach an intent',
      [edge('queryresult.q', 'decision.approved.q'), edge('decision.approved.q', 'intent.pay')],
      [],
    ],
    ['cut 5: the outcome of a read reaches an intent', [edge('queryresult.outcome', 'intent.pay')], ['queryresult.outcome > intent.pay']],
    [
      'cut 5: a lifecycle row reaches a fact',
      [edge('lifecycle.modelCalled', 'approvedView.v'), edge('approvedView.v', 'fact.f')],
      ['lifecycle.modelCalled > approvedView.v > fact.f'],
    ],
    [
      'cut 5: an acceptance is no gate between an outcome and an intent',
      [edge('queryresult.outcome', 'decision.accepted.c'), edge('decision.accepted.c', 'intent.pay')],
      ['queryresult.outcome > decision.accepted.c > intent.pay'],
    ],
    [
      'a receipt is the word of the world',
      [
        edge('proposal.pay', 'decision.approved.pay'),
        edge('decision.approved.pay', 'intent.pay'),
        edge('intent.pay', 'receipt.pay', 'runtime'),
        edge('receipt.pay', 'fact.f'),
      ],
      [],
    ],
    [
      'trusted rows reach everything',
      [edge('observation.o', 'fact.f'), edge('observation.o', 'intent.pay'), edge('confirmed.pay', 'intent.pay')],
      [],
    ],
  ])('%s', (_claim, edges, expected) => {
    expect(trails(...edges)).toEqual(expected);
  });

  test('A11 prints the path with the rules on it, and the decision that is missing', () => {
    const [issue] = cut([edge('candidate.order', 'candidateView.v', 'm.a'), edge('candidateView.v', 'fact.b', 'm.b')], gradeOfSource);
    expect(issue?.code).toBe('load/cut-bypassed');
    expect(issue?.what).toBe(
      'candidate.order reaches fact.b without decision.accepted.*: candidate.order -[m.a]-> candidateView.v -[m.b]-> fact.b',
    );
  });

  test('names both decisions that would let the path through', () => {
    expect(cut([edge('candidate.order', 'intent.pay', 'm.a')], gradeOfSource)[0]?.what).toBe(
      'candidate.order reaches intent.pay without decision.accepted.* or decision.approved.*: candidate.order -[m.a]-> intent.pay',
    );
  });
});

describe('an intent that consults a model', () => {
  const consulting = new Set(['intent.ask']);
  const ends = (...edges: readonly Edge[]) => cut(edges, gradeOfSource, consulting).map((issue) => issue.trail.join(' > '));
  const called = edge('lifecycle.modelCalled', 'intent.ask');

  test('may follow from how a call or a read ended, and another intent may not', () => {
    expect(ends(called, edge('queryresult.outcome', 'intent.ask'))).toEqual([]);
    expect(trails(called)).toEqual(['lifecycle.modelCalled > intent.ask']);
    expect(ends(edge('lifecycle.modelCalled', 'intent.pay'))).toEqual(['lifecycle.modelCalled > intent.pay']);
  });

  test.each<[string, Edge[], string[]]>([
    ['its receipt', [edge('receipt.ask', 'intent.pay')], ['lifecycle.modelCalled > intent.ask > receipt.ask > intent.pay']],
    ['its admission', [edge('admitted.ask', 'intent.pay')], ['lifecycle.modelCalled > intent.ask > admitted.ask > intent.pay']],
    [
      'its start, to a fact',
      [edge('started.ask', 'approvedView.v'), edge('approvedView.v', 'fact.f')],
      ['lifecycle.modelCalled > intent.ask > started.ask > approvedView.v > fact.f'],
    ],
    [
      'what came back, where it is only accepted',
      [edge('candidate.askResult', 'decision.accepted.askResult'), edge('decision.accepted.askResult', 'intent.pay')],
      ['lifecycle.modelCalled > intent.ask > candidate.askResult > decision.accepted.askResult > intent.pay'],
    ],
    ['a receipt, to a fact: that the model was asked is true', [edge('receipt.ask', 'fact.f')], []],
    [
      'what came back, where the act is approved',
      [edge('candidate.askResult', 'decision.approved.pay'), edge('decision.approved.pay', 'intent.pay')],
      [],
    ],
    ['its admission, to itself', [edge('admitted.ask', 'intent.ask')], []],
  ])('lets paths go on through %s', (_way, more, expected) => {
    const runtime = runtimeEdges(['intent.ask', 'admitted.ask', 'started.ask', 'receipt.ask', 'candidate.askResult']);
    expect(ends(called, ...runtime, ...more)).toEqual(expected);
  });

  test.each([
    ['cut 2', 'candidate.c'],
    ['cut 3', 'proposal.pay'],
    ['cut 4', 'queryresult.q'],
  ])('is a sink of %s all the same', (_cut, source) => {
    expect(ends(edge(source, 'intent.ask'))).toEqual([`${source} > intent.ask`]);
  });
});

describe('edges of the runtime', () => {
  const known = [
    'query.q',
    'queryresult.q',
    'queryresult.outcome',
    'proposal.pay',
    'proposal.queryRequested.q',
    'confirmed.pay',
    'confirmed.q',
    'confirmed.queryExecute',
    'candidate.payResult',
    'confirmed.payResult',
  ];
  const acts = [
    'intent.pay',
    'admitted.pay',
    'started.pay',
    'withdrawn.pay',
    'conflict.pay',
    'due.pay',
    'receipt.pay',
    'intent.queryExecute',
    'admitted.queryExecute',
    'lifecycle.effectUnknown',
  ];

  test('lead from a source to its answers, from a query to its rows, and from an act to all that is said of it', () => {
    expect(
      runtimeEdges([...known, ...acts])
        .map(({ from, to }) => `${from} > ${to}`)
        .sort(),
    ).toEqual(
      [
        'query.q > queryresult.q',
        'queryresult.q > confirmed.q',
        'proposal.pay > confirmed.pay',
        'proposal.queryRequested.q > confirmed.queryExecute',
        'candidate.payResult > confirmed.payResult',
        ...['admitted', 'started', 'withdrawn', 'conflict', 'due', 'receipt'].map((kind) => `intent.pay > ${kind}.pay`),
        'intent.pay > candidate.payResult',
        'intent.pay > lifecycle.effectUnknown',
        'intent.queryExecute > admitted.queryExecute',
        'intent.queryExecute > queryresult.q',
        'intent.queryExecute > queryresult.outcome',
        'intent.queryExecute > lifecycle.effectUnknown',
      ].sort(),
    );
  });

  test('close a way round: what a model proposed comes back as the admission of an act that no one approved', () => {
    const edges = [edge('proposal.pay', 'intent.pay', 'm.a'), edge('admitted.pay', 'fact.f', 'm.b'), ...runtimeEdges(acts)];
    expect(trails(...edges)).toEqual(['proposal.pay > intent.pay', 'proposal.pay > intent.pay > admitted.pay > fact.f']);
  });

  test('close a way round: a confirmation of a proposal carries it to an intent', () => {
    const edges = [edge('confirmed.pay', 'intent.pay', 'm.a'), ...runtimeEdges(known)];
    expect(trails(...edges)).toEqual(['proposal.pay > confirmed.pay > intent.pay']);
  });
});

const RELATIONS = [
  ...[
    'observation.o',
    'candidate.c',
    'queryresult.q',
    'queryresult.outcome',
    'lifecycle.modelCalled',
    'proposal.pay',
    'proposalView.p',
    'candidateView.v',
    'approvedView.v',
  ],
  ...[
    'decision.accepted.c',
    'decision.approved.pay',
    'decision.rejected.c',
    'decision.rejected.pay',
    'decision.held.c',
    'receipt.pay',
    'admitted.pay',
    'query.q',
  ],
  ...['fact.f', 'fact.g', 'intent.pay', 'intent.call', 'confirmed.pay'],
];

/** The law's table, written out apart: from where, to where, past which gates. */
const evidence = (name: string) =>
  /^(candidate|candidateView|query)\./.test(name) || name === 'queryresult.q' || /^decision\.(rejected|held)\.c$/.test(name);
const wish = (name: string) => /^(proposal|proposalView)\./.test(name) || /^decision\.(rejected|held)\.pay$/.test(name);
const work = (name: string) => name === 'queryresult.outcome' || name.startsWith('lifecycle.');
const ROWS: readonly [from: (name: string) => boolean, to: string, gates: RegExp][] = [
  [evidence, 'fact', /^(decision\.accepted|receipt)\./],
  [evidence, 'intent', /^decision\.(accepted|approved)\./],
  [wish, 'intent', /^decision\.approved\./],
  [wish, 'fact', /^(decision\.(approved|accepted)|receipt)\./],
  [(name) => name === 'queryresult.q', 'intent', /^decision\.approved\./],
  [work, 'intent', /^decision\.approved\./],
  [work, 'fact', /^(decision\.accepted|receipt)\./],
];

/** Walks every simple path, and stops at gates and at sinks. */
function sinksByWalking(edges: readonly Edge[], consulting: ReadonlySet<string> = new Set()): Set<string> {
  const reached = new Set<string>();
  for (const [from, to, gates] of ROWS) {
    const walk = (at: string, seen: readonly string[]): void => {
      const passes = from === work && consulting.has(at);
      if (at.startsWith(`${to}.`) && !passes) return void reached.add(at);
      for (const next of edges) if (next.from === at && !seen.includes(next.to) && !gates.test(next.to)) walk(next.to, [...seen, next.to]);
    };
    for (const source of new Set(edges.map((one) => one.from))) if (from(source)) walk(source, [source]);
  }
  return reached;
}

describe('the graph cut, by law', () => {
  const relation = fc.constantFrom(...RELATIONS);
  const program = fc.array(
    fc.tuple(relation, relation).map(([from, to]) => edge(from, to)),
    { maxLength: 14 },
  );

  test('agrees with walking every path, on any graph', () => {
    fc.assert(
      fc.property(program, (edges) => {
        expect(new Set(cut(edges, gradeOfSource).map((issue) => issue.trail.at(-1)))).toEqual(sinksByWalking(edges));
      }),
      { numRuns: 2000 },
    );
  });

  test('agrees with walking every path where an intent consults a model', () => {
    const consulting = new Set(['intent.call']);
    fc.assert(
      fc.property(program, (edges) => {
        const ends = cut(edges, gradeOfSource, consulting).map((issue) => issue.trail.at(-1));
        expect(new Set(ends)).toEqual(sinksByWalking(edges, consulting));
      }),
      { numRuns: 2000 },
    );
  });

  test('every trail is a path of the graph that begins in evidence and passes no gate of its sink', () => {
    fc.assert(
      fc.property(program, (edges) => {
        for (const { trail } of cut(edges, gradeOfSource)) {
          const steps = trail.slice(1).map((to, index) => [trail[index], to] as const);
          expect(steps.every(([from, to]) => edges.some((one) => one.from === from && one.to === to))).toBe(true);
          const sink = trail.at(-1) ?? '';
          const rows = ROWS.filter(
            ([from, to, gates]) => from(trail[0] ?? '') && sink.startsWith(`${to}.`) && !trail.some((name) => gates.test(name)),
          );
          expect(rows.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('does not depend on the order of the edges, but for which of two trails of one length is told', () => {
    fc.assert(
      fc.property(program, fc.integer(), (edges, seed) => {
        const shuffled = [...edges].sort((left, right) => ((left.from.length * seed) % 7) - ((right.to.length * seed) % 5));
        const ends = (of: readonly Edge[]) => new Set(cut(of, gradeOfSource).map((issue) => issue.trail.at(-1)));
        expect(ends(shuffled)).toEqual(ends(edges));
      }),
      { numRuns: 300 },
    );
  });

  test('the grade of a decided name tells a refused candidate from a refused proposal', () => {
    expect(namespaceOf('decision.rejected.pay')).toBe('decision.rejected');
    expect(gradeOfSource(ownName('decision.rejected.pay'))).toBe('proposal');
  });
});
