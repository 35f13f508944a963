/**
 * What the world has to say, one line for each row, record, card and receipt that is new.
 *
 * Reads  the model and the records of a world, the logs of till and loudspeaker, the issues of a program.
 * Gives  lines of at most 100 characters: what happened, to which row, and what the record says of it.
 * Never  remembers more than how far it has told: a line is made of what it finds.
 */
import type { Issue, LedgerRecord, Row } from '../../src/index.ts';
import type { Loudspeaker, PointOfSale, World } from './pos.ts';

export interface Card {
  readonly id: string;
  readonly reason: string;
  readonly shown: string;
}

export class Teller {
  readonly lines: string[] = [];
  readonly #world: World;
  readonly #told = new Set<string>();
  #records = 0;
  #chapter = 0;

  constructor(world: World) {
    this.#world = world;
  }

  program(): void {
    const { name, digest } = this.#world.plan;
    this.#open(`The program ${name}, ${digest.slice(0, 12)}`);
  }

  /** The words of the guest open a chapter; what a model made of them is staged. */
  heard(): void {
    for (const { text } of this.#new('observation.said')) this.#open(`"${text}"`);
    for (const relation of ['candidate.orderParse', 'proposal.sendOrder', 'proposal.speakOffer']) {
      for (const row of this.#new(relation)) this.#line('staged', `${relation} ${row['id']}`, columnsOf(this.#world, relation, row));
    }
  }

  reported(): void {
    for (const relation of ['observation.menuItem', 'observation.offerFloor', 'observation.atWindow']) {
      for (const row of this.#new(relation)) this.#line('reported', relation, columnsOf(this.#world, relation, row));
    }
  }

  /** Decisions, with their reasons or with what they keep; what became of acts; answers that were to no card. */
  recorded(): void {
    const records = this.#world.records();
    for (const record of records.slice(this.#records)) this.#line(...toldOf(record));
    this.#records = records.length;
  }

  /** New cards, each with the total that stands on the screen beside it. */
  asked(): Card[] {
    return this.#new('decision.held.sendOrder').map((held) => {
      const [wish] = this.#world.model().rows('proposalView.onScreen', { wish: held['id'] ?? '' });
      this.#line('asked', `sendOrder ${cardOf(held)}`, `${held['reason']}: total ${wish?.['total']}`);
      return { id: String(held['id']), reason: String(held['reason']), shown: String(held['shown']) };
    });
  }

  answered(): void {
    for (const answer of this.#new('confirmed.sendOrder')) {
      this.#line('answered', `sendOrder ${cardOf(answer)}`, `${answer['answer']} by ${answer['by']}`);
    }
    this.recorded();
  }

  receipts(): void {
    for (const { act, ticket, charged, outcome } of this.#new('receipt.sendOrder')) {
      this.#line('receipt', `receipt.sendOrder ${act}`, `ticket ${ticket}, charged ${charged}, ${outcome}`);
    }
    for (const row of this.#new('fact.sold')) this.#line('true', 'fact.sold', columnsOf(this.#world, 'fact.sold', row));
  }

  rang(till: PointOfSale): void {
    for (const { ticket, sku, qty, charged } of till.sales.slice(-1)) {
      this.#line('rung up', `till ${ticket}`, `${qty} x ${sku}, charged ${charged}`);
    }
  }

  spoken(speaker: Loudspeaker): void {
    for (const text of speaker.spoken) this.#line('spoken', 'loudspeaker', text);
  }

  counted(relations: readonly string[], till: PointOfSale): void {
    const counts = relations.map((relation) => `${relation} ${this.#world.model().count(relation)}`);
    this.#line('so far', `${counts.join(', ')}; rung up ${till.sales.length}`);
  }

  /** The first issue of a program: the others say the same of single rules. */
  refused([first]: readonly Issue[]): void {
    if (first === undefined) return;
    this.#open('The same program and one rule more');
    const { code, what, why, fix } = first;
    for (const line of [`${code}: ${what}`, `why: ${why}`, `fix: ${fix}`].flatMap(wrapped)) this.lines.push(`     ${line}`);
  }

  #open(title: string): void {
    this.lines.push(`${this.#chapter++}  ${title}`);
  }

  #line(verb: string, subject: string, more = ''): void {
    this.lines.push(`   ${verb.padEnd(9)} ${subject.padEnd(31)} ${more}`.trimEnd());
  }

  /** Rows of a relation that have not been told. */
  #new(relation: string): Row[] {
    const rows = this.#world.model().rows(relation);
    return rows.filter((row) => {
      const size = this.#told.size;
      return this.#told.add(JSON.stringify([relation, row])).size > size;
    });
  }
}

function toldOf(record: LedgerRecord): [verb: string, subject: string, more: string] {
  switch (record.record) {
    case 'decision': {
      const { verdict, source, id, reasons, recorded } = record;
      return [verdict, `${source} ${id}`, [...reasons, columns(recorded)].filter((text) => text !== '').join('; ')];
    }
    case 'admitted':
    case 'started':
    case 'withdrawn':
    case 'conflict':
      return [record.record, `${record.intent} ${record.row['id']}`, `key ${short(record.key)}, rests on ${record.restsOn.join(', ')}`];
    case 'dormant':
      return [record.record, record.intent, `key ${short(record.key)}`];
    case 'ignored':
      return [record.record, `answer ${cardOf(record.row)}`, record.why];
    case 'captureRefused':
      return ['refused', record.capture, [record.class, ...record.issues].join('; ')];
    case 'setAside':
      return ['set aside', record.id, record.reason];
  }
}

/** A card goes by its row, and by the digest of what it shows. */
function cardOf(row: Row): string {
  return `${row['id']} #${short(String(row['shown']))}`;
}

function short(digest: string): string {
  return digest.slice(0, 8);
}

/** The columns that the ontology declares; the stamps stay out. */
function columnsOf(world: World, relation: string, row: Row): string {
  const isReserved = new Map(world.plan.relations.get(relation)?.columns.map((column) => [column.name, column.isReserved]));
  return columns(Object.fromEntries(Object.entries(row).filter(([name]) => isReserved.get(name) !== true)));
}

function columns(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** A sentence in lines that fit the screen. */
function wrapped(text: string): string[] {
  return [...text.matchAll(/(?:^| )(.{1,95})(?= |$)/g)].map(([, line = '']) => line);
}
