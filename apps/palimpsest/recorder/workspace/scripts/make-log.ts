import { createRandom } from './random.ts'

const TOKEN = 'tok_live_EXAMPLE9f3Kq7RzT2mWv5XbNc8LdP0a'

/** Two days of the service, 1 and 2 April 2026, as `src/log.ts` writes it. */
export function makeLog(seed: number): string {
  const random = createRandom(seed)
  const lines: string[] = []
  let time = Date.parse('2026-03-31T22:00:00.000Z')
  let entry = 310

  const log = (level: string, event: string, fields: Readonly<Record<string, string | number>>) => {
    const pairs = Object.entries(fields).map(([key, value]) => `${key}=${value}`)
    lines.push([new Date(time).toISOString(), level.padEnd(5), event, ...pairs].join(' '))
  }
  const wait = (seconds: number) => {
    time += (1 + random.below(seconds * 1000)) | 0
  }

  log('info', 'listening', { port: 8471 })
  for (let request = 0; request < 520; request += 1) {
    wait(560)
    const office = random.pick(['lisbon', 'tokyo'])
    const kind = random.below(20)
    if (request === 60) {
      log('info', 'import.start', { office: 'tokyo', file: 'tokyo-2026-03.csv' })
      time += 412
      log('info', 'import.range', { first: '2026-02-28T23:31:00.000Z', last: '2026-03-31T12:22:00.000Z' })
      log('warn', 'import.duplicates', { office: 'tokyo', count: 4 })
      log('info', 'import.done', { office: 'tokyo', imported: 169, rejected: 0 })
    }
    if (kind < 9) log('info', 'http', { method: 'GET', path: `/v1/entries?office=${office}`, status: 200 })
    else if (kind < 13) log('info', 'http', { method: 'GET', path: `/v1/report?office=${office}&month=2026-03`, status: 200 })
    else if (kind < 17) {
      entry += 1
      log('info', 'http', { method: 'POST', path: '/v1/entries', status: 201, id: `E-${String(entry).padStart(6, '0')}` })
    } else if (kind === 17) {
      log('warn', 'http', { method: 'POST', path: '/v1/entries', status: 400, error: 'bad-entry', amount: `${random.below(90)}.5` })
    } else if (kind === 18) {
      const id = `E-${String(1 + random.below(entry)).padStart(6, '0')}`
      log('warn', 'http', { method: 'POST', path: `/v1/entries/${id}/reverse`, status: 409, error: 'already-reversed' })
    } else {
      log('debug', 'headers', { authorization: `Bearer ${TOKEN}` })
      log('info', 'http', { method: 'GET', path: `/v1/entries/E-${String(1 + random.below(entry)).padStart(6, '0')}`, status: 200 })
    }
  }
  return `${lines.join('\n')}\n`
}
