import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { defineOntology, invariant, keyed, not, open, program, row, rule, ruleset } from '../../src/index.ts';

const clinic = defineOntology({
  observation: { overdue: keyed({ patient: z.string() }, {}), muted: { text: z.string() } },
  action: { remind: { in: { patient: z.string() }, identity: ['patient'], receipt: {} } },
});
const { id, patient } = clinic.vars;
const parts = {
  name: 'clinic',
  ontologies: [clinic],
  rules: [ruleset('reminders', { overdue: rule(clinic.intent.remind({ patient })).when(clinic.observation.overdue({ patient })) })],
};
const overdue = { session: 's', actor: 'clock', reports: [{ rows: [row(clinic.observation.overdue, { patient: 'p1' })] }] };

describe('an act that no proposal asked for', () => {
  test('has one id wherever it stands: derived, due, admitted, started', async () => {
    const world = await open(program(parts));
    const outcome = await world.observe(overdue);
    const [act] = outcome.status === 'committed' ? outcome.admitted : [];
    const idsOf = (relation: string) =>
      world
        .model()
        .rows(relation)
        .map((one) => one['id']);
    expect(idsOf('intent.remind')).toEqual([act?.row['id']]);
    expect(idsOf('due.remind')).toEqual([act?.row['id']]);
    expect(idsOf('admitted.remind')).toEqual([act?.row['id']]);
    await world.start('remind', act?.key ?? '');
    expect(idsOf('started.remind')).toEqual([act?.row['id']]);
    expect(idsOf('due.remind')).toEqual([]);
  });

  test('meets its records in an invariant that joins them by id', async () => {
    const never = invariant('a reminder is due that was never admitted').never(
      clinic.due.remind({ id, patient }),
      not(clinic.admitted.remind({ id })),
    );
    const always = invariant('a reminder is due').never(clinic.due.remind({ id }), clinic.admitted.remind({ id, patient }));
    const world = await open(program({ ...parts, invariants: [never] }));
    expect(await world.observe(overdue)).toMatchObject({ status: 'committed' });
    const strict = await open(program({ ...parts, invariants: [always] }));
    expect(await strict.observe(overdue)).toMatchObject({ status: 'refused', refusal: { witness: { patient: 'p1' } } });
  });

  test('keeps its id when it goes and comes again, and another identity has another', async () => {
    const world = await open(program(parts));
    const idsOf = () =>
      world
        .model()
        .rows('intent.remind')
        .map((one) => one['id']);
    await world.observe(overdue);
    const [first] = idsOf();
    await world.observe({ ...overdue, reports: [{ rows: [], ends: [row(clinic.observation.overdue, { patient: 'p1' })] }] });
    expect(idsOf()).toEqual([]);
    await world.observe(overdue);
    expect(idsOf()).toEqual([first]);
    await world.observe({ ...overdue, reports: [{ rows: [row(clinic.observation.overdue, { patient: 'p2' })] }] });
    expect(new Set(idsOf()).size).toBe(2);
  });
});
