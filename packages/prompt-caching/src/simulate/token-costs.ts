/** A way in which a token may be cached, and what came together on the way there. */
interface Held {
  /** Milliseconds for which a write or a read keeps it. */
  readonly life: number
  /** Milliseconds since the epoch. */
  until: number
  readonly cost: number
}

/** The least that one token can have cost, by what may have become of it, in uncached tokens. */
export interface TokenCosts {
  /** Not cached. */
  readonly bare: number
  /** None is worse than another in cost, end and life at once. */
  readonly held: readonly Held[]
}

/** The ways in which a request can pay for one of its tokens. Costs are in uncached tokens. */
export interface TokenVisit {
  /** Start of the request, in milliseconds since the epoch. */
  readonly at: number
  readonly uncached: number
  readonly read: number
  readonly writes: readonly { readonly life: number; readonly cost: number }[]
  /** A ping that keeps it for another life. Infinity where none is sent; null where reading prolongs nothing. */
  readonly ping: number | null
}

/** A token that was not sent yet has cost nothing. */
export const UNSENT: TokenCosts = Object.freeze({ bare: 0, held: [] })

/** Ways beyond this are merged into cheaper ones: the bound stays one. Real prices need at most three. */
const MAX_HELD = 8

/** The least costs after one more request that has the token. */
export function visitToken({ bare, held }: TokenCosts, visit: TokenVisit): TokenCosts {
  const { at, uncached, read, writes, ping } = visit
  const ways: Held[] = []
  let least = bare
  for (const { life, until, cost } of held) {
    least = Math.min(least, cost)
    if (ping !== null) {
      const pings = Math.max(0, Math.ceil((at - until) / life))
      const kept = pings === 0 ? 0 : pings * ping
      if (kept < Number.POSITIVE_INFINITY)
        ways.push({ life, until: Math.max(until, at + life), cost: cost + kept + read })
    } else if (at <= until) ways.push({ life, until, cost: cost + read })
  }
  for (const { life, cost } of writes) ways.push({ life, until: at + life, cost: least + cost })
  return { bare: least + uncached, held: withoutWorse(ways) }
}

/** The least that the token can have cost, whatever follows. */
export function leastCost({ bare, held }: TokenCosts): number {
  return held.reduce((least, { cost }) => Math.min(least, cost), bare)
}

function withoutWorse(ways: Held[]): Held[] {
  ways.sort((a, b) => a.cost - b.cost || b.until - a.until || b.life - a.life)
  const kept: Held[] = []
  for (const way of ways) {
    if (kept.some(({ until, life }) => until >= way.until && life >= way.life)) continue
    const last = kept[MAX_HELD - 1]
    if (last === undefined) kept.push(way)
    else last.until = Math.max(last.until, way.until)
  }
  return kept
}
