import { type ContextEngine, errorText } from '@palimpsest/core'
import type { CallLog } from './call-log.ts'

/** The time limit of an engine's call when no model stalls, in milliseconds. Engines take a few. */
export const SETTLE_MS = 5_000
/**
 * The same for an engine that was found hanging once: the rest of its cases should not take minutes. An engine whose
 * calls are slow gets as many times as long as the slowest of them took.
 */
const SETTLE_AGAIN = { leastMs: 200, times: 5 } as const

/** Time limits of a target, learnt from its earlier cases. */
export interface Patience {
  limitMs: number
  /** The time of the slowest call that settled. */
  slowestMs: number
  /** The shortest limit of a target that was found hanging, in milliseconds. */
  readonly leastMs: number
}

export function createPatience(
  limitMs: number = SETTLE_MS,
  leastMs: number = SETTLE_AGAIN.leastMs,
): Patience {
  return { limitMs, slowestMs: 0, leastMs }
}

/**
 * The same engine, whose calls fail instead of never settling, and say what was wrong about the call. With a log they
 * are written down in it, and throw when its case is over.
 */
export function withTimeLimit(engine: ContextEngine, patience: Patience, log?: CallLog): ContextEngine {
  const limited = new Map<unknown, unknown>()
  // A proxy of the engine itself would have to hand out its fixed members as they are.
  return new Proxy(Object.create(engine) as ContextEngine, {
    get(_, key) {
      const member: unknown = Reflect.get(engine, key)
      if (typeof member !== 'function') return member
      if (!limited.has(member)) {
        limited.set(member, (...args: unknown[]) => {
          const call = `${String(key)}()`
          log?.assertOpen()
          const end = log?.begin(call)
          try {
            const result: unknown = member.apply(engine, args)
            if (result instanceof Promise) return answer(settled(result, call, patience), call).finally(end)
            end?.()
            return result
          } catch (error) {
            end?.()
            throw explainError(error, call)
          }
        })
      }
      return limited.get(member)
    },
  })
}

async function answer(promise: Promise<unknown>, call: string): Promise<unknown> {
  const value = await promise.catch((error: unknown) => {
    throw explainError(error, call)
  })
  if (call === 'compress()') assertResult(value)
  return value
}

/** A promise did not settle in time. */
export class NotSettledError extends Error {}

/**
 * The promise, or a failure when it does not settle in time.
 *
 * @throws NotSettledError
 */
export async function settled<T>(promise: Promise<T>, what: string, patience: Patience): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const start = performance.now()
  const { limitMs } = patience
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const { slowestMs, leastMs } = patience
      patience.limitMs = Math.min(limitMs, Math.max(leastMs, SETTLE_AGAIN.times * slowestMs))
      reject(new NotSettledError(`${what} did not settle within ${limitMs} ms`))
    }, limitMs)
  })
  try {
    const value = await Promise.race([promise, late])
    patience.slowestMs = Math.max(patience.slowestMs, performance.now() - start)
    return value
  } finally {
    clearTimeout(timer)
  }
}

/** JavaScript's messages for a write to something frozen. */
const FROZEN = /read only property|not extensible|Cannot (?:add|delete|define|redefine) property/

/** The error of an engine's call; one that comes from writing to frozen messages says so. */
export function explainError(error: unknown, call: string): unknown {
  if (!(error instanceof TypeError) || !FROZEN.test(error.message)) return error
  const text = `${call} writes to what it was given, which is frozen (law 6: copy it first): ${error.message}`
  return new TypeError(text, { cause: error })
}

/**
 * Fails for what `compress` must not resolve to, such as the nothing of a forgotten `return`, before a case trips
 * over it.
 */
export function assertResult(value: unknown): void {
  const { outcome, messages } = Object(value) as { readonly outcome?: unknown; readonly messages?: unknown }
  if (typeof outcome === 'string' && Array.isArray(messages)) return
  const what = Array.isArray(value)
    ? 'a list'
    : typeof value === 'object' && value !== null
      ? shown(value)
      : String(value)
  throw new TypeError(
    `compress() resolved to ${what}, and not to a result with outcome and messages: see compactedResult() and keptResult() of core`,
  )
}

function shown(value: object): string {
  try {
    return `an object with the keys ${Object.keys(value).join(', ') || 'of none'}`
  } catch (error) {
    return `an object that cannot be read (${errorText(error)})`
  }
}
