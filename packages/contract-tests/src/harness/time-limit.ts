import type { ContextEngine } from '@palimpsest/core'
import { assertResult, explainError } from './explain-call.ts'

/** How long a call of an engine may take when no model stalls, in milliseconds. Engines take a few. */
export const SETTLE_MS = 5_000
/** The same for an engine that was found hanging once: the rest of its cases should not take minutes. */
const SETTLE_AGAIN_MS = 200

/** What is known about a target from its earlier cases. */
export interface Patience {
  limitMs: number
}

export function createPatience(limitMs: number = SETTLE_MS): Patience {
  return { limitMs }
}

/** The same engine, whose calls fail instead of never settling, and say what was wrong about the call. */
export function withTimeLimit(engine: ContextEngine, patience: Patience): ContextEngine {
  const limited = new Map<unknown, unknown>()
  // A proxy of the engine itself would have to hand out its fixed members as they are.
  return new Proxy(Object.create(engine) as ContextEngine, {
    get(_, key) {
      const member: unknown = Reflect.get(engine, key)
      if (typeof member !== 'function') return member
      if (!limited.has(member)) {
        limited.set(member, (...args: unknown[]) => {
          const call = `${String(key)}()`
          try {
            const result: unknown = member.apply(engine, args)
            return result instanceof Promise ? answer(settled(result, call, patience), call) : result
          } catch (error) {
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

/** The promise, or a failure when it does not settle in time. */
export async function settled<T>(promise: Promise<T>, what: string, patience: Patience): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const { limitMs } = patience
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      patience.limitMs = Math.min(limitMs, SETTLE_AGAIN_MS)
      reject(new Error(`${what} did not settle within ${limitMs} ms`))
    }, limitMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
