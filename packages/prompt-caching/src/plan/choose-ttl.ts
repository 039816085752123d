import { lifetimeOf } from '../cache/entry-life.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CacheLifetime, CacheProfile } from '../profile/cache-profile.ts'
import { breakEvenIdleMs, pingIntervalMs, pingsDuring } from './break-even-idle.ts'
import { findHead } from './find-head.ts'
import type { PlanOptions } from './plan-options.ts'
import type { Situation } from './situation.ts'

/** Fewer pauses say nothing about the next one. */
const PAUSES_NEEDED = 3

/** In tokens. */
interface Sizes {
  /** The prompt, half-way through the requests to come. */
  readonly prompt: number
  /** What each request adds. */
  readonly grown: number
}

/**
 * The lifetime of what a request writes. For `auto` the next pauses are taken to be like those that were seen, the one
 * that just ended included, and as many; the prompt is taken to grow as it did. With L the tokens of the prompt
 * half-way, D what a request adds, r and w the prices of reading and writing, each pause p costs, beyond reading
 * everything:
 * - a lifetime T without pings: (w − r)·D when p ≤ T, else (w − r)·L: all is written again;
 * - the short one with pings: n·r·L more, n = ⌈(p − T) / (T − 30 s)⌉, and a lapse where p is longer than pings pay.
 * The long one costs (w_long − w_short) more, once, for all that this request writes. It is chosen only when that is
 * cheaper than either, and when nothing short is held: what is written behind that lives no longer.
 */
export function chooseTtl(situation: Situation, options: PlanOptions): CacheLifetime {
  const { short, long } = situation.profile
  if (long === undefined) return short
  if (options.ttl === '1h') return long
  return options.ttl === 'auto' && isLongCheaper(situation, long, options) ? long : short
}

function isLongCheaper(situation: Situation, long: CacheLifetime, { keepAlive }: PlanOptions): boolean {
  const { layout, at, state, deepest, profile } = situation
  if (state.lastStart === null || !profile.sliding) return false
  if (deepest !== undefined && lifetimeOf(deepest.ttl, profile) !== long) return false
  const pauses = [...state.pauses, at - state.lastStart]
  if (pauses.length < PAUSES_NEEDED) return false

  const { short } = profile
  const sizes = sizesToCome(layout, pauses.length)
  const sum = (cost: (pauseMs: number) => number) => pauses.reduce((total, pause) => total + cost(pause), 0)
  const writtenNow = (layout.ends.at(-1) ?? 0) - (deepest?.tokens ?? 0)
  const longOnce = (long.write - short.write) * writtenNow
  const longCost = longOnce + sum((pause) => lapseCost(pause, sizes, long, profile))
  const shortCost = sum((pause) => lapseCost(pause, sizes, short, profile))
  const pingedCost = keepAlive
    ? sum((pause) => pingedPauseCost(pause, sizes, short, profile))
    : Number.POSITIVE_INFINITY
  return longCost < Math.min(shortCost, pingedCost)
}

function sizesToCome(layout: RequestLayout, pauses: number): Sizes {
  const prompt = layout.ends.at(-1) ?? 0
  const head = layout.ends[findHead(layout).messages - 1] ?? 0
  const grown = (prompt - head) / (pauses + 1)
  return { prompt: prompt + (grown * pauses) / 2, grown }
}

function lapseCost(pauseMs: number, sizes: Sizes, lifetime: CacheLifetime, { read }: CacheProfile): number {
  const isLapse = pauseMs > lifetime.seconds * 1000
  return (lifetime.write - read) * (isLapse ? sizes.prompt : sizes.grown)
}

function pingedPauseCost(pauseMs: number, sizes: Sizes, short: CacheLifetime, profile: CacheProfile): number {
  const longest = breakEvenIdleMs(short, profile, pingIntervalMs(short)) + short.seconds * 1000
  const isKept = pauseMs <= longest
  const pings = pingsDuring(Math.min(pauseMs, longest), short)
  return (
    pings * profile.read * sizes.prompt + (short.write - profile.read) * (isKept ? sizes.grown : sizes.prompt)
  )
}
