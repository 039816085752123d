import { it } from 'vitest'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { weather } from './storm.ts'

/** How long the last of these storms is to last, in seconds. A night of it says more. */
const SECONDS = Number(process.env.PALIMPSEST_STORM_SECONDS ?? 1)

describeWithPostgres('three workers on one session and on one each', (server) => {
  it('lose nothing and write nothing twice while their connections are cut, and others take over from killed ones', () =>
    weather(server, { troubles: ['cut', 'killed', 'cut'], time: 500, times: 2 }))
})

describeWithPostgres(
  'three workers on a server that is not always there',
  (server) => {
    it(
      'lose nothing and write nothing twice while it is stopped and killed, and they are cut off and killed too',
      () =>
        weather(server, {
          troubles: ['stopped', 'cut', 'crashed', 'killed', 'cut'],
          time: SECONDS * 1_000,
          times: 1,
        }),
      60_000 + SECONDS * 2_000,
    )
  },
  'cluster',
)
