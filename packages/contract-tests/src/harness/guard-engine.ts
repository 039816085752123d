import { type ContextEngine, errorText } from '@palimpsest/core'

export interface CaseCalls {
  readonly pending: string[]
  /** The last error that the engine threw, and the member that threw it. */
  threw?: { readonly member: string; readonly error: unknown }
  /** True once the case is over; later calls throw. */
  isOver: boolean
}

/** Wraps an engine. Pending calls are tracked, and errors explain what was wrong about the call, if that is known. */
export function guardEngine(engine: ContextEngine, calls: CaseCalls): ContextEngine {
  const guarded = new Map<unknown, unknown>()
  // A proxy of the engine itself would have to return its frozen members unchanged.
  return new Proxy(Object.create(engine) as ContextEngine, {
    get(_, key) {
      const member: unknown = read(engine, key, calls)
      if (typeof member !== 'function') return member
      const known = guarded.get(member) ?? guard(engine, member as Member, `${String(key)}()`, calls)
      guarded.set(member, known)
      return known
    },
  })
}

function read(engine: ContextEngine, key: PropertyKey, calls: CaseCalls): unknown {
  try {
    return Reflect.get(engine, key)
  } catch (error) {
    calls.threw = { member: String(key), error }
    throw error
  }
}

type Member = (...args: unknown[]) => unknown

function guard(engine: ContextEngine, member: Member, call: string, calls: CaseCalls): Member {
  return (...args) => {
    if (calls.isOver) throw new Error('the time of the case is over')
    try {
      const result = member.apply(engine, args)
      if (!(result instanceof Promise)) return result
      calls.pending.push(call)
      return result
        .then(call === 'compress()' ? checkedResult : undefined)
        .catch((error: unknown) => {
          throw thrown(error, call, calls)
        })
        .finally(() => calls.pending.splice(calls.pending.indexOf(call), 1))
    } catch (error) {
      throw thrown(error, call, calls)
    }
  }
}

function thrown(given: unknown, member: string, calls: CaseCalls): unknown {
  const error = explainError(given, member)
  if (error === given) calls.threw = { member, error }
  return error
}

/** JavaScript's messages for a write to something frozen. */
const FROZEN = /read only property|not extensible|Cannot (?:add|delete|define|redefine) property/

function explainError(error: unknown, call: string): unknown {
  if (!(error instanceof TypeError) || !FROZEN.test(error.message)) return error
  const text = `${call} writes to what it was given, which is frozen (invariant 6: copy it first): ${error.message}`
  return new TypeError(text, { cause: error })
}

function checkedResult(value: unknown): unknown {
  const { outcome, messages } = Object(value) as { readonly outcome?: unknown; readonly messages?: unknown }
  if (typeof outcome === 'string' && Array.isArray(messages)) return value
  throw new TypeError(
    `compress() resolved to ${shown(value)}, and not to a result with outcome and messages: see compactedResult() and keptResult() of core`,
  )
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return `an object with the keys ${Object.keys(value).join(', ') || 'of none'}`
  } catch (error) {
    return `an object that cannot be read (${errorText(error)})`
  }
}
