/**
 * The story: what is said at a drive-through, what a model makes of it, and what the till gets to see.
 *
 * Reads  the policy, and a model that is scripted and as wrong as it likes.
 * Gives  the world and the outside as they are after it, with one line for each thing that they have to say.
 * Never  speaks for the world: rows, records, receipts and refusals are asked of it and of `load`.
 */
import { ActorId, isCountersignError, load, open, row, RowId, type Report, type ReportRow } from '../../src/index.ts';
import { bypassed } from './bypass.ts';
import { Cents, drive, policy, Sku } from './policy.ts';
import { Loudspeaker, PointOfSale, type World } from './pos.ts';
import { Teller, type Card } from './teller.ts';

export interface Story {
  readonly world: World;
  readonly till: PointOfSale;
  readonly speaker: Loudspeaker;
  readonly lines: readonly string[];
}

export async function story(): Promise<Story> {
  const world = await open(policy);
  const scene: Scene = { world, till: new PointOfSale(world), speaker: new Loudspeaker(world), teller: new Teller(world) };
  await morning(scene);
  await eighteenThousandWaters(scene);
  await goodOrder(scene);
  await twoOffers(scene);
  oneRuleMore(scene);
  await raisedPrice(scene);
  return { ...scene, lines: scene.teller.lines };
}

interface Scene {
  readonly world: World;
  readonly till: PointOfSale;
  readonly speaker: Loudspeaker;
  readonly teller: Teller;
}

async function morning({ world, till, teller }: Scene): Promise<void> {
  const floor = row(drive.observation.offerFloor, { sku: Sku.parse('water'), floor: Cents.parse(100) });
  const window = row(drive.observation.atWindow, { guest: ActorId.parse(GUEST) });
  await observe(world, [{ rows: [till.price('burger', 600, 20), till.price('water', 150, 20), floor, window] }]);
  teller.program();
  teller.reported();
}

async function eighteenThousandWaters({ world, till, teller }: Scene): Promise<void> {
  await observe(world, [said('Eighteen thousand waters, please.'), order('reply-1', 'L1', 'water', 18_000)]);
  teller.heard();
  teller.recorded();
  teller.counted(['fact.orderLine', 'intent.sendOrder', 'admitted.sendOrder'], till);
}

async function goodOrder(scene: Scene): Promise<void> {
  await observe(scene.world, [said('Two burgers, please.'), order('reply-2', 'L2', 'burger', 2)]);
  scene.teller.heard();
  await carryOut(scene);
}

async function twoOffers({ world, speaker, teller }: Scene): Promise<void> {
  const offer = (price: number) => ({ relation: 'proposal.speakOffer', columns: { sku: 'water', price } });
  await observe(world, [said('How much is a water?'), { capture: 'reply-3', rows: [offer(1), offer(100)] }]);
  teller.heard();
  teller.recorded();
  for (const key of waiting(world, 'speakOffer')) await speaker.speak(key);
  teller.recorded();
  teller.spoken(speaker);
}

function oneRuleMore({ teller }: Scene): void {
  try {
    load(bypassed);
  } catch (error) {
    if (!isCountersignError(error)) throw error;
    teller.refused(error.issues);
  }
}

/** Yes is said to the card of the old price, and then to the card of the new one. */
async function raisedPrice(scene: Scene): Promise<void> {
  const { world, till, teller } = scene;
  await observe(world, [said('Four burgers, please.'), order('reply-4', 'L4', 'burger', 4)]);
  teller.heard();
  teller.recorded();
  const before = teller.asked();
  await observe(world, [{ rows: [till.price('burger', 700, 20)] }]);
  teller.reported();
  const after = teller.asked();
  for (const card of [...before, ...after]) {
    await observe(world, [{ rows: [yes(card)] }]);
    teller.answered();
  }
  await carryOut(scene);
  teller.counted(['admitted.sendOrder', 'started.sendOrder', 'receipt.sendOrder'], till);
}

/** Hands what waits to the till, and the till's receipts to the world. */
async function carryOut({ world, till, teller }: Scene): Promise<void> {
  teller.recorded();
  for (const key of waiting(world, 'sendOrder')) {
    const receipt = await till.ring(key);
    teller.recorded();
    if (receipt === undefined) continue;
    teller.rang(till);
    await observe(world, [{ rows: [receipt] }]);
    teller.receipts();
  }
}

/** Keys of acts that were admitted and have neither started nor been withdrawn. */
function waiting(world: World, intent: string): string[] {
  const keys = new Set<string>();
  for (const record of world.records()) {
    if (record.record === 'admitted' && record.intent === intent) keys.add(record.key);
    if (record.record === 'started' || record.record === 'withdrawn') keys.delete(record.key);
  }
  return [...keys];
}

// Who says what.

const GUEST = 'guest';

async function observe(world: World, reports: readonly Report[]): Promise<void> {
  await world.observe({ session: 'lane-1', actor: GUEST, reports });
}

function said(text: string): Report {
  return { rows: [row(drive.observation.said, { text })] };
}

/** A model's reply as it comes: what it heard, and its wish to send that. Nothing is checked here; the world does that. */
function order(capture: string, line: string, sku: string, qty: number): Report {
  const rows = ['candidate.orderParse', 'proposal.sendOrder'].map((relation) => ({ relation, columns: { line, sku, qty } }));
  return { capture, rows };
}

function yes({ id, reason, shown }: Card): ReportRow {
  return row(drive.confirmed.sendOrder, { id: RowId.parse(id), reason, shown, answer: 'yes' });
}
