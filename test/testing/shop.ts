/**
 * The refund shop of the tests as scenarios begin in it: an order that was delivered, a limit, a day, a manager, open doors.
 *
 * Gives  its rows, one function each, and a scenario in which they are given.
 */
import { row } from '../../src/index.ts';
import { scenario, type ScenarioOptions } from '../../src/testing/testing.ts';
import { app, Cents, Day, OrderId, shop, UserId } from '../programs/refund.ts';

const order = OrderId.parse('o1');
export const orderOf = (user: string, paid: number, state: 'placed' | 'delivered' = 'delivered') =>
  row(shop.observation.order, { order, user: UserId.parse(user), state, paid: Cents.parse(paid) });
export const limitOf = (perDay: number) => row(shop.observation.refundLimit, { perDay: Cents.parse(perDay) });
export const today = (day: string) => row(shop.observation.today, { day: Day.parse(day) });
export const manager = (user: string) => row(shop.observation.manager, { user: UserId.parse(user) });
export const doors = (open: boolean) => row(shop.observation.shopOpen, { open });
export const refund = (amount: number) => row(shop.proposal.refund, { order, amount: Cents.parse(amount) });
export const address = (street: string) => row(shop.candidate.address, { order, street });

export const given = [orderOf('ada', 50_000), limitOf(40_000), today('monday'), manager('mia'), doors(true)];

/** Ada, to whom the order belongs, speaks. */
export const opened = (options: ScenarioOptions = {}) => scenario(app, { actor: 'ada', ...options }).given(...given);
