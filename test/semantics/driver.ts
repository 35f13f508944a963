/**
 * One face for whatever runs a program: the oracle, and the product's world.
 *
 * Reads  a program, and events in the words of a table.
 * Gives  statuses, records and rows, all as plain data, so that one table and one set of laws judge both.
 * Never  looks inside: what it cannot ask for through the interface, no test depends on.
 */
import { IR, irOf, type ProgramIR } from '../../dsl/ir.ts';
import type { Program } from '../../dsl/program.ts';
import type { Batch, IntentRecord, LedgerRecord, ReportRow, Row } from '../../dsl/record.ts';
import { Oracle } from '../oracle/oracle.ts';

/** What came of an event. `answered`: everything in it was known. `faulty`: the caller's mistake, of which the ledger does not hear. */
export type Came = 'committed' | 'answered' | 'refused' | 'faulty';

export interface Driver {
  observe(batch: Batch): Promise<Came>;
  start(intent: string, key: string): Promise<Came>;
  adopt(program: Program, admitOld?: readonly string[]): Promise<Came>;
  statusOf(id: string): Promise<string | undefined>;
  records(): Promise<readonly LedgerRecord[]>;
  rows(relation: string): Promise<readonly Row[]>;
}
export type Opens = (program: Program) => Promise<Driver>;

export const openOracle: Opens = async (program) => {
  const oracle = new Oracle(programIR(program));
  return {
    observe: async (batch) => oracle.observe(batch).is,
    start: async (intent, key) => oracle.start(intent, key).is,
    adopt: async (next, admitOld = []) => oracle.adopt(programIR(next), admitOld).is,
    statusOf: async (id) => oracle.statusOf(id),
    records: async () => oracle.records(),
    rows: async (relation) => oracle.rows(relation),
  };
};

export function programIR(program: Program): ProgramIR {
  const ir = irOf(program);
  if (ir === undefined) throw new Error(`this program carries nothing under ${String(IR)}`);
  // Only `program` of the language makes values of this type, and it puts its IR on them.
  return ir as ProgramIR;
}

/** An event as a table writes it: keys and cards are looked up when it happens. */
export type Event =
  | { readonly observe: Batch }
  | { readonly start: string; readonly act: string }
  | { readonly adopt: Program; readonly admitOld?: readonly string[] }
  /** Puts the card that lies on the table now aside under a name, to be answered later. */
  | { readonly see: string; readonly source: string; readonly id: string; readonly reason?: string }
  | { readonly answer: string; readonly by: string; readonly says: 'yes' | 'no'; readonly beside?: readonly ReportRow[] };

/** Evidence of one reply. */
export const says = (session: string, capture: string, ...rows: readonly ReportRow[]): Event => ({
  observe: { session, actor: session, reports: [{ capture, rows }] },
});
/** A trusted report. */
export const reports = (session: string, ...rows: readonly ReportRow[]): Event => ({
  observe: { session, actor: session, reports: [{ rows }] },
});
export const starts = (intent: string, act: string): Event => ({ start: intent, act });
export const adopts = (program: Program, admitOld: readonly string[] = []): Event => ({ adopt: program, admitOld });
export const sees = (name: string, source: string, id: string, reason?: string): Event => ({
  see: name,
  source,
  id,
  ...(reason === undefined ? {} : { reason }),
});
export const answers = (name: string, by: string, yesOrNo: 'yes' | 'no', ...beside: readonly ReportRow[]): Event => ({
  answer: name,
  by,
  says: yesOrNo,
  beside,
});

interface Seen {
  readonly source: string;
  readonly columns: Row;
}

/** Plays a history; gives what came of each event that the ledger heard of. */
export async function play(driver: Driver, events: readonly Event[]): Promise<Came[]> {
  const seen = new Map<string, Seen>();
  const came: Came[] = [];
  for (const event of events) {
    if ('see' in event) seen.set(event.see, await look(driver, event));
    else came.push(await happen(driver, event, seen));
  }
  return came;
}

async function look(driver: Driver, { source, id, reason }: Extract<Event, { readonly see: string }>): Promise<Seen> {
  const cards = await driver.rows(`decision.held.${source}`);
  const card = cards.find((row) => row['id'] === id && (reason === undefined || row['reason'] === reason));
  // A card that is not there can be answered too: that answer has to be ignored.
  return { source, columns: { id, reason: card?.['reason'] ?? reason ?? '', shown: card?.['shown'] ?? 'no such card' } };
}

async function happen(driver: Driver, event: Exclude<Event, { readonly see: string }>, seen: ReadonlyMap<string, Seen>): Promise<Came> {
  if ('observe' in event) return driver.observe(event.observe);
  if ('start' in event) return driver.start(event.start, await keyOf(driver, event.start, event.act));
  if ('adopt' in event) return driver.adopt(event.adopt, event.admitOld);
  const card = seen.get(event.answer);
  if (card === undefined) throw new Error(`nobody has seen a card ${event.answer}`);
  const answer: ReportRow = { relation: `confirmed.${card.source}`, columns: { ...card.columns, answer: event.says } };
  return driver.observe({ session: 'desk', actor: event.by, reports: [{ rows: [...(event.beside ?? []), answer] }] });
}

/** The key under which the act was last admitted. */
export async function keyOf(driver: Driver, intent: string, act: string): Promise<string> {
  const records = (await driver.records()).filter(
    (record): record is IntentRecord => record.record === 'admitted' && record.intent === intent,
  );
  return records.filter((record) => record.row['id'] === act).at(-1)?.key ?? 'no such key';
}
