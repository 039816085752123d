import { Client, Pool } from 'pg'

/** What went to a server through a pool. */
export interface Meter {
  /** Statements, or several of them at once: each is one way to the server and back. */
  readonly trips: number
  readonly transactions: number
  /** How long answers were waited for, in milliseconds. */
  readonly waited: number
}

/** A pool that counts. */
export interface MeteredPool {
  readonly pool: Pool
  /** What went through it so far. */
  read(): Meter
}

/** `url`: of the server. */
export function createMeteredPool(url: string): MeteredPool {
  const meter = { trips: 0, transactions: 0, waited: 0 }
  const note = (query: unknown, elapsed: number): void => {
    meter.trips++
    if (isBegin(query)) meter.transactions++
    meter.waited += elapsed
  }
  const metered = new Proxy(Client, {
    construct: (target, args) => meterClient(Reflect.construct(target, args), note),
  })
  const pool = new Pool({ connectionString: url, application_name: 'palimpsest', max: 4, Client: metered })
  // When a measurement fails, its server ends before its connections.
  pool.on('error', () => {})
  return { pool, read: () => ({ ...meter }) }
}

/** The difference of two readings. */
export function since(before: Meter, now: Meter): Meter {
  return {
    trips: now.trips - before.trips,
    transactions: now.transactions - before.transactions,
    waited: now.waited - before.waited,
  }
}

function meterClient(client: Client, note: (query: unknown, elapsed: number) => void): Client {
  return new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        const start = performance.now()
        const result = Reflect.apply(value, target, values)
        if (name !== 'query' || !(result instanceof Promise)) return result
        return result.finally(() => note(values[0], performance.now() - start))
      }
    },
  })
}

function isBegin(query: unknown): boolean {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query
  return String(text).startsWith('BEGIN')
}
