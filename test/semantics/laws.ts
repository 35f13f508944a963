/**
 * The laws of a transition, as functions over any driver and any history.
 *
 * Reads  a history; runs it, and runs it again in the ways that must not matter.
 * Gives  the broken laws in words; none means that all of them held.
 * Never  knows what the right outcome is: that is the oracle's to say.
 */
import { canonicalJson } from '../../dsl/digest.ts';
import type { DecisionRecord, IntentRecord, LedgerRecord, ReportRow, Row } from '../../dsl/record.ts';
import type { Came, Driver, Opens } from './driver.ts';
import { factsAlone, programOf, world, type Choice } from './random-programs.ts';
import { happen, happeningOf, type Happened, type History } from './random-histories.ts';
import { IR, type OntologyIR } from '../../dsl/ir.ts';

export type Law = (run: Run, opens: Opens) => Promise<readonly string[]>;

/** One step as it was seen from outside. */
export interface Step {
  readonly happened: Happened;
  readonly came: Came;
  readonly choice: Choice;
  readonly before: Seen;
  readonly after: Seen;
}
export interface Seen {
  readonly records: readonly LedgerRecord[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}
export interface Run {
  readonly history: History;
  readonly driver: Driver;
  readonly steps: readonly Step[];
}

// An ontology carries its IR under the symbol; its type does not say so.
const RELATIONS = Object.keys((world as unknown as { readonly [IR]: OntologyIR })[IR].relations);

export async function see(driver: Driver): Promise<Seen> {
  const rows = new Map<string, readonly Row[]>();
  for (const relation of RELATIONS) rows.set(relation, await driver.rows(relation));
  return { records: await driver.records(), rows };
}

export async function run(opens: Opens, history: History): Promise<Run> {
  const driver = await opens(programOf(history.choice));
  const steps: Step[] = [];
  let { choice } = history;
  let before = await see(driver);
  for (const wish of history.wishes) {
    const happened = await happeningOf(
      wish,
      driver,
      steps.map((step) => step.happened),
    );
    if (happened === undefined) continue;
    const came = await happen(driver, happened);
    const after = await see(driver);
    if (happened.event === 'adopt' && came === 'committed') choice = happened.choice;
    steps.push({ happened, came, choice, before, after });
    before = after;
  }
  return { history, driver, steps };
}

/** Every law by name, broken ones with what was seen. */
export async function brokenLaws(run: Run, opens: Opens): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, law] of Object.entries(LAWS)) for (const what of await law(run, opens)) broken.push(`${name}: ${what}`);
  return broken;
}

export const LAWS: Readonly<Record<string, Law>> = {
  'records never change': each(({ before, after }) => differ(after.records.slice(0, before.records.length), before.records)),

  'a row has one final decision, and after a good one at most one revocation': each(({ after }) => {
    const byRow = grouped(decisionsIn(after.records), (record) => record.id);
    const isLawful = ([first, second, ...more]: readonly DecisionRecord[]) =>
      more.length === 0 &&
      first?.verdict !== 'revoked' &&
      (second === undefined || (second.verdict === 'revoked' && first?.verdict !== 'rejected'));
    return [...byRow]
      .filter(([, records]) => !isLawful(records))
      .map(([id, records]) => `${id} is ${records.map((record) => record.verdict).join(', ')}`);
  }),

  'a refusal, a fault and a repetition leave everything as before': each(({ came, before, after }) =>
    came === 'committed' ? [] : differSeen(after, before),
  ),

  'an act rests on an approval that was recorded before it': each(({ after }) =>
    after.records.flatMap((record, index) => {
      if (record.record !== 'admitted' || record.intent === 'visit') return [];
      const approval = decisionsIn(after.records.slice(0, index)).find(
        (decision) => decision.id === record.row['id'] && decision.verdict === 'approved',
      );
      return approval !== undefined && record.restsOn.includes(approval.id)
        ? []
        : [`${String(record.row['id'])} was admitted without an approval`];
    }),
  ),

  'an act starts at most once': each(({ after }) => {
    const started = after.records.flatMap((record) => (record.record === 'started' ? [record.key] : []));
    return new Set(started).size === started.length ? [] : ['a key has started twice'];
  }),

  'every row of evidence has exactly one status': async ({ driver, steps }) => {
    const last = steps.at(-1)?.after;
    const broken: string[] = [];
    for (const source of ['pay', 'plan', 'seen']) {
      for (const { id } of last?.rows.get(`${source === 'seen' ? 'candidate' : 'proposal'}.${source}`) ?? []) {
        const found = ['accepted', 'approved', 'rejected', 'revoked', 'held'].filter((verdict) =>
          last?.rows.get(`decision.${verdict}.${source}`)?.some((row) => row['id'] === id),
        );
        const status = await driver.statusOf(String(id));
        if (found.length > 1 || status !== (found[0] ?? 'pending'))
          broken.push(`${String(id)} is ${String(status)}, and stands in ${found.join(', ')}`);
      }
    }
    return broken;
  },

  'a limit is never exceeded': async ({ history, steps }) => {
    const isLimited = [history.choice, ...steps.map((step) => step.choice)].every((choice) => choice.pay.includes('limit'));
    return isLimited
      ? steps.flatMap(({ after }) =>
          ['s', 't']
            .filter((actor) => exposureOf(actor, after, steps) > 100)
            .map((actor) => `${actor} has ${exposureOf(actor, after, steps)}`),
        )
      : [];
  },

  'rows that stand together have one verdict': async ({ history, steps }) => {
    if (steps.some(({ choice }) => canonicalJson(choice.groups) !== canonicalJson(history.choice.groups))) return [];
    const decisions = decisionsIn(steps.at(-1)?.after.records ?? []).filter(
      (record) => record.verdict !== 'revoked' && history.choice.groups.some((source) => source === record.source),
    );
    const byCapture = grouped(decisions, (record) => captureOf(record.id));
    return [...byCapture]
      .filter(([, records]) => new Set(records.map((record) => record.verdict)).size > 1)
      .map(([capture]) => `capture ${capture} is torn`);
  },

  'a group starts in one record': async ({ history, steps }) => {
    if (!history.choice.groups.includes('pay') || steps.some(({ choice }) => !choice.groups.includes('pay'))) return [];
    return steps.flatMap(({ before, after }) => {
      const acts = after.records
        .slice(before.records.length)
        .filter((record): record is IntentRecord => record.record === 'started' || record.record === 'withdrawn');
      const byCapture = grouped(acts, (act) => captureOf(String(act.row['id'])));
      return [...byCapture]
        .filter(([, ones]) => new Set(ones.map((act) => act.record)).size > 1)
        .map(([capture]) => `capture ${capture} started in part`);
    });
  },

  'an empty batch changes nothing': async ({ driver }) => {
    const before = await see(driver);
    await driver.observe({ session: 's', actor: 's', reports: [] });
    return differSeen(await see(driver), before);
  },

  'the same events give the same outcome': async ({ history, steps }, opens) => {
    const driver = await opens(programOf(history.choice));
    const came: Came[] = [];
    for (const { happened } of steps) came.push(await happen(driver, JSON.parse(JSON.stringify(happened)) as Happened));
    return [
      ...differ(
        came,
        steps.map((step) => step.came),
      ),
      ...differSeen(await see(driver), steps.at(-1)?.after),
    ];
  },

  'neither the order of rules nor that of rows in a trusted report shows': async ({ history, steps }, opens) => {
    const driver = await opens(programOf(history.choice, turned));
    for (const { happened } of steps) {
      if (happened.event === 'adopt') await driver.adopt(programOf(happened.choice, turned), happened.admitOld);
      else await happen(driver, withTurnedRows(happened));
    }
    return differSeen(withoutStamps(await see(driver)), withoutStamps(steps.at(-1)?.after));
  },

  'facts are a function of trusted and accepted rows': async ({ steps }, opens) => {
    const last = steps.at(-1);
    if (last === undefined) return [];
    const alone = await opens(factsAlone(last.choice));
    const rowsOf = (relation: string, columns: readonly string[], into = relation) =>
      (last.after.rows.get(relation) ?? []).map((row): ReportRow => ({
        relation: into,
        columns: Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])),
      }));
    const trusted = ['payee:to', 'blocked:to', 'boss:user', 'today:day', 'open:isOpen', 'link:from,to'].flatMap((one) => {
      const [name = '', columns = ''] = one.split(':');
      return rowsOf(`observation.${name}`, columns.split(','));
    });
    await alone.observe({ session: 's', actor: 's', reports: [{ rows: trusted }] });
    for (const [index, row] of rowsOf('decision.accepted.seen', ['to', 'n'], 'candidate.seen').entries()) {
      await alone.observe({ session: 's', actor: 's', reports: [{ capture: `accepted${index}`, rows: [row] }] });
    }
    // What was read is accepted by a decision of its own, which this world does without.
    const facts = RELATIONS.filter(
      (relation) => relation.startsWith('fact.') && !(relation === 'fact.reach' && last.choice.rules.includes('read')),
    );
    const seen = await see(alone);
    return facts.flatMap((relation) =>
      differ(seen.rows.get(relation), last.after.rows.get(relation)).map((what) => `${relation}: ${what}`),
    );
  },

  'no trusted row is refused because of evidence that started nothing': async ({ history, steps }, opens) => {
    if (steps.some(({ happened, came }) => (happened.event === 'start' && came === 'committed') || happened.event === 'adopt')) return [];
    const trusting = await opens(programOf(history.choice));
    const broken: string[] = [];
    for (const { happened, came } of steps) {
      if (happened.event !== 'batch') continue;
      const reports = happened.batch.reports.filter(({ capture }) => capture === undefined);
      if (reports.length === 0) continue;
      const alone = await happen(trusting, { event: 'batch', batch: { ...happened.batch, reports } });
      if (came === 'refused' && alone !== 'refused') broken.push(`refused beside evidence only: ${JSON.stringify(happened.batch)}`);
      // From here on the two worlds no longer hold the same truth.
      if (came !== alone) break;
    }
    return broken;
  },
};

function each(law: (step: Step) => readonly string[]): Law {
  return async ({ steps }) => steps.flatMap((step, index) => law(step).map((what) => `event ${index}: ${what}`));
}

function decisionsIn(records: readonly LedgerRecord[]): DecisionRecord[] {
  return records.filter((record): record is DecisionRecord => record.record === 'decision');
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function captureOf(id: string): string {
  return id.slice(0, id.lastIndexOf('.'));
}

/** What of an actor's payments was done or still may be. */
function exposureOf(actor: string, { records, rows }: Seen, steps: readonly Step[]): number {
  const failed = new Set((rows.get('receipt.pay') ?? []).filter((row) => row['outcome'] === 'failed').map((row) => row['act']));
  const standing = (rows.get('decision.approved.pay') ?? []).map((row) => String(row['id']));
  const started = records.flatMap((record) => (record.record === 'started' ? [String(record.row['id'])] : []));
  const ids = new Set([...standing, ...started].filter((id) => !failed.has(id)));
  return steps.reduce((sum, { happened, came }) => {
    if (happened.event !== 'batch' || happened.batch.actor !== actor || came !== 'committed') return sum;
    const own = happened.batch.reports.flatMap(({ capture, rows: reported }) =>
      reported.map((row, index) => ({ id: `${String(capture)}.${index + 1}`, row })),
    );
    return (
      sum +
      own.reduce((total, { id, row }) => (row.relation === 'proposal.pay' && ids.has(id) ? total + Number(row.columns['n']) : total), 0)
    );
  }, 0);
}

function turned<T>(items: readonly T[]): readonly T[] {
  return [...items].reverse();
}

function withTurnedRows(happened: Happened): Happened {
  if (happened.event !== 'batch') return happened;
  const reports = happened.batch.reports.map((report) =>
    report.capture === undefined ? { ...report, rows: turned(report.rows) } : report,
  );
  return { event: 'batch', batch: { ...happened.batch, reports } };
}

/** Trusted rows have ids by their place in a report, so that is left out where their order is turned. */
function withoutStamps(seen: Seen | undefined): Seen | undefined {
  if (seen === undefined) return undefined;
  const rows = [...seen.rows].map(([relation, all]): [string, readonly Row[]] => {
    if (!/^(observation|receipt|confirmed)\./.test(relation)) return [relation, all];
    const bare = all.map((row) =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([column]) => !['ordinal', 'seq', ...(relation.startsWith('confirmed.') ? [] : ['id'])].includes(column),
        ),
      ),
    );
    return [relation, bare.sort((left, right) => (canonicalJson(left) < canonicalJson(right) ? -1 : 1))];
  });
  return { records: seen.records, rows: new Map(rows) };
}

function differ(found: unknown, wanted: unknown): string[] {
  const [left, right] = [found, wanted].map((value) => (value === undefined ? 'nothing' : canonicalJson(value)));
  return left === right ? [] : [`${left} instead of ${right}`];
}

function differSeen(found: Seen | undefined, wanted: Seen | undefined): string[] {
  if (found === undefined || wanted === undefined) return [];
  const relations = [...wanted.rows].flatMap(([relation, rows]) =>
    differ(found.rows.get(relation), rows).map((what) => `${relation}: ${what}`),
  );
  return [...differ(found.records, wanted.records).map((what) => `records: ${what}`), ...relations];
}
