/**
 * A journey, told as scenarios: a flight and a hotel that stand or fall as one, and what has no part in them.
 */
import * as z from 'zod';
import { describe, test } from 'vitest';
import { ActorId, decide, defineOntology, ended, gt, keyed, program, row, together } from '../../src/index.ts';
import { scenario } from '../../src/testing/testing.ts';

const trip = defineOntology({
  observation: { free: keyed({ what: z.string() }, { price: z.int() }), traveller: keyed({ who: ActorId }, {}) },
  action: { flight: { in: { what: z.string() } }, hotel: { in: { what: z.string() } }, taxi: { in: { what: z.string() } } },
});
const { what, price, by } = trip.vars;
const { proposal, observation, intent } = trip;

const flights = decide('flights', proposal.flight({ what }))
  .needs('no seat', observation.free({ what, price }))
  .asks('above 500', gt(price, 500), { by: observation.traveller({ who: by }) })
  .stillNeeds('the seat is still free', observation.free({ what }))
  .otherwiseApproves();
const hotels = decide('hotels', proposal.hotel({ what })).needs('no room', observation.free({ what })).otherwiseApproves();
const taxis = decide('taxis', proposal.taxi({ what })).needs('no car', observation.free({ what })).otherwiseApproves();
const policy = program({
  name: 'trip',
  ontologies: [trip],
  rules: [flights, hotels, taxis, together({ sources: [proposal.flight, proposal.hotel] })],
});

const free = (name: string, cents = 100) => row(observation.free, { what: name, price: cents });
const flight = row(proposal.flight, { what: 'BER' });
const hotel = row(proposal.hotel, { what: 'Ritz' });
const taxi = row(proposal.taxi, { what: 'cab' });
const journey = { flight, hotel, taxi };

const begun = scenario(policy, { actor: 'ada' }).given(row(observation.traveller, { who: ActorId.parse('ada') }));

describe('a flight and a hotel', () => {
  test('are booked together, by one start', async () => {
    await begun
      .given(free('BER'), free('Ritz'))
      .proposes({ flight, hotel })
      .isApproved()
      .row('hotel')
      .runs(intent.hotel)
      .row('flight')
      .holds('started.flight')
      .runs(intent.flight);
  });

  test('fall together when one is not to be had, and say which; the taxi beside them goes', async () => {
    await begun
      .given(free('BER'), free('cab'))
      .proposes(journey)
      .row('hotel')
      .isDenied('no room')
      .row('flight')
      .isDenied('stands with reply-1.2: no room')
      .row('taxi')
      .isApproved()
      .runs(intent.taxi)
      .never(intent.flight)
      .never(intent.hotel);
  });

  test('wait together while one is asked about, and go together with its yes', async () => {
    const asked = begun
      .given(free('BER', 600), free('Ritz'))
      .proposes({ flight, hotel })
      .row('hotel')
      .isPending()
      .row('flight')
      .isHeld('above 500');
    await asked.confirmedBy('ada').isApproved().row('hotel').isApproved();
    await asked.declinedBy('ada').isDenied('declined: above 500').row('hotel').isDenied('stands with reply-1.1: declined: above 500');
  });

  test('are withdrawn together when one has gone before the start: half a journey is none', async () => {
    await begun
      .given(free('BER'), free('Ritz'))
      .proposes({ flight, hotel })
      .ends(ended(observation.free, { what: 'BER' }))
      .row('hotel')
      .starts()
      .isWithdrawn()
      .lacks('started.hotel')
      .lacks('started.flight');
  });

  test('of two replies are two matters', async () => {
    await begun.given(free('Ritz')).proposes(flight).isDenied('no seat').proposes(hotel).isApproved().runs(intent.hotel);
  });
});
