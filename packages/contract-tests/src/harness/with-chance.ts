export interface Chance {
  /** What the wall clock says, in milliseconds since the epoch. */
  readonly now: number
  /** What random numbers are, from 0 to 1. */
  readonly dice: number
}

/**
 * Runs something while the clock and the random numbers of JavaScript stand still, so that whoever reads them shows
 * it: `Date`, `Math.random` and `crypto.randomUUID`. Everything is as it was afterwards.
 */
export async function withChance<T>({ now, dice }: Chance, run: () => Promise<T>): Promise<T> {
  const uuid = `00000000-0000-4000-8000-${String(now).padStart(12, '0')}` as const
  const restore = [
    replace(globalThis, 'Date', dateAt(now)),
    replace(Math, 'random', () => dice),
    replace(globalThis.crypto, 'randomUUID', () => uuid),
  ]
  try {
    return await run()
  } finally {
    for (const undo of restore) undo()
  }
}

/** `Date` whose now is always the same. */
function dateAt(now: number): DateConstructor {
  return new Proxy(Date, {
    get: (target, key) => (key === 'now' ? () => now : Reflect.get(target, key)),
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now] : args, newTarget),
    apply: (target) => new target(now).toString(),
  })
}

/** Replaces a member, own or inherited, and returns how to undo that. */
function replace<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key],
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, key)
  Object.defineProperty(target, key, { value, configurable: true, writable: true })
  return () => {
    if (own === undefined) delete target[key]
    else Object.defineProperty(target, key, own)
  }
}
