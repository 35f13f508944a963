/**
 * The outside of the drive-through: a till with its price list and a loudspeaker, in process, each with a log of what it did.
 *
 * Reads  the key of an act, and what the world says of it when it is started.
 * Gives  the receipt of what the till rang up.
 * Never  takes an order from its caller: an act that the world does not start is not carried out, whoever asks for it.
 */
import { row, type open, type ReportRow, type Row } from '../../src/index.ts';
import { Cents, drive, Sku } from './policy.ts';

export type World = Awaited<ReturnType<typeof open>>;

export interface Sale {
  readonly ticket: string;
  readonly sku: string;
  readonly qty: number;
  readonly charged: number;
}

export class PointOfSale {
  readonly #world: World;
  readonly #prices = new Map<string, number>();
  readonly sales: Sale[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Puts a price on the list, and reports it as the policy reads it. */
  price(sku: string, price: number, mostPerOrder: number): ReportRow {
    this.#prices.set(sku, price);
    return row(drive.observation.menuItem, { sku: Sku.parse(sku), price: Cents.parse(price), mostPerOrder });
  }

  /**
   * Starts an act, rings it up and gives its receipt; nothing when the world withdrew it at the start.
   *
   * Errors  `world/not-startable` when no admitted act with this key waits.
   */
  async ring(key: string): Promise<ReportRow | undefined> {
    const act = await startedAct(this.#world, 'sendOrder', key);
    if (act === undefined) return undefined;
    const { id = '', ...bindings } = act;
    const [sku, qty] = [String(act['sku']), Number(act['qty'])];
    const sale = { ticket: `T${this.sales.length + 1}`, sku, qty, charged: qty * (this.#prices.get(sku) ?? 0) };
    this.sales.push(sale);
    const { ticket, charged } = sale;
    return { relation: 'receipt.sendOrder', columns: { ...bindings, act: id, ticket, charged, outcome: 'succeeded' } };
  }
}

export class Loudspeaker {
  readonly #world: World;
  readonly spoken: string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** Starts an act and says it, as `ring` does. */
  async speak(key: string): Promise<void> {
    const act = await startedAct(this.#world, 'speakOffer', key);
    if (act !== undefined) this.spoken.push(`${act['sku']} for ${act['price']}`);
  }
}

/** The bindings of an act as the world recorded them when it started. */
async function startedAct(world: World, intent: string, key: string): Promise<Row | undefined> {
  const outcome = await world.start(intent, key);
  return outcome.status === 'committed' ? outcome.started.find((record) => record.key === key)?.row : undefined;
}
