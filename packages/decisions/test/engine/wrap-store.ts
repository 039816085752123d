import type { DecisionSession, DecisionStore } from '../../src/index.ts'

/** Does what a call does, or something else. */
export type Wrap = (method: string, run: () => Promise<unknown>, args: readonly unknown[]) => Promise<unknown>

/** A store of which every call, of its sessions too, goes through a function. */
export function wrapStore(inner: DecisionStore, wrap: Wrap): DecisionStore {
  const around = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return async (...args: unknown[]) => {
          const answer = await wrap(String(name), async () => Reflect.apply(member, target, args), args)
          const isSession = (name === 'session' || name === 'find') && answer !== null
          return isSession ? around(answer as DecisionSession) : answer
        }
      },
    })
  return around(inner)
}
