import { Client, Pool } from 'pg'

export interface Meter {
  /** Round trips that a caller waits for: statements that are sent together take one. */
  readonly trips: number
  readonly transactions: number
  readonly waited: number
}

export interface MeteredPool {
  readonly pool: Pool
  read(): Meter
}

export function createMeteredPool(url: string): MeteredPool {
  const meter = { trips: 0, transactions: 0, waited: 0 }
  const metered = new Proxy(Client, {
    construct: (target, args) => meterClient(Reflect.construct(target, args), meter),
  })
  const options = { connectionString: url, application_name: 'palimpsest', pipeline: true }
  const pool = new Pool({ ...options, max: 4, Client: metered })
  // When a measurement fails, its server ends before its connections.
  pool.on('error', () => {})
  return { pool, read: () => ({ ...meter }) }
}

export function since(before: Meter, now: Meter): Meter {
  return {
    trips: now.trips - before.trips,
    transactions: now.transactions - before.transactions,
    waited: now.waited - before.waited,
  }
}

/** Time counts from a statement that finds nothing on its way to the answer to the last one that was sent behind it. */
function meterClient(client: Client, meter: { -readonly [Key in keyof Meter]: Meter[Key] }): Client {
  let [underway, since, isReading] = [0, 0, false]
  const begin = (text: string): boolean => {
    if (text.startsWith('BEGIN')) {
      meter.transactions++
      isReading = text.includes('READ ONLY')
    }
    // A read is over with its last row.
    const isWaitedFor = !(isReading && text === 'COMMIT')
    if (underway++ === 0) {
      since = performance.now()
      if (isWaitedFor) meter.trips++
    }
    return isWaitedFor
  }
  const end = (isWaitedFor: boolean): void => {
    if (--underway === 0 && isWaitedFor) meter.waited += performance.now() - since
  }
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        const isWaitedFor = name === 'query' && begin(textOf(values[0]))
        const result = Reflect.apply(value, target, values)
        if (name !== 'query' || !(result instanceof Promise)) return result
        return result.finally(() => end(isWaitedFor))
      }
    },
  })
}

function textOf(query: unknown): string {
  return String(typeof query === 'object' && query !== null && 'text' in query ? query.text : query)
}
