/** Sessions in memory by id, with what a host keeps beside each. What was used longest ago is ended to make room. */
export interface SessionPool<Value> {
  get(id: string): Value | undefined
  values(): Value[]
  /** Opens it unless it is open, at once: an earlier one of the id may still be ending. Throws the error of `open`. */
  open(id: string): Value
  /** Opens it for a task, during which it stays. Rejects with the error of `open`, or of the task. */
  use<Result>(id: string, task: (value: Value) => Result | Promise<Result>): Promise<Result>
  end(id: string): Promise<void>
  /** Ends all. Rejects with the first error when all are over. */
  close(): Promise<void>
}

export interface SessionPoolOptions<Value> {
  /** The most in memory. There are more only while they are busy. */
  readonly limit: number
  readonly open: (id: string) => Value
  readonly end: (value: Value) => Promise<void>
  /** Hears the error of an end that made room. Default: it is dropped. */
  readonly endFailed?: (error: unknown, id: string) => void
}

export function createSessionPool<Value>(options: SessionPoolOptions<Value>): SessionPool<Value> {
  const { limit, endFailed = () => {} } = options
  const entries = new Map<string, { readonly value: Value; users: number }>()
  const ending = new Map<string, Promise<void>>()

  const end = (id: string): Promise<void> => {
    const entry = entries.get(id)
    const before = ending.get(id)
    if (entry === undefined) return before ?? Promise.resolve()
    entries.delete(id)
    const ended = Promise.resolve(before?.catch(() => {}))
      .then(() => options.end(entry.value))
      .finally(() => ending.get(id) === ended && ending.delete(id))
    ending.set(id, ended)
    return ended
  }
  const take = (id: string) => {
    const entry = entries.get(id) ?? { value: options.open(id), users: 0 }
    entries.delete(id)
    entries.set(id, entry)
    entry.users++
    for (const [oldest, { users }] of entries)
      if (entries.size > limit && users === 0) end(oldest).catch((error) => endFailed(error, oldest))
    return entry
  }
  return {
    get: (id) => entries.get(id)?.value,
    values: () => [...entries.values()].map(({ value }) => value),
    open(id) {
      const entry = take(id)
      entry.users--
      return entry.value
    },
    async use(id, task) {
      // Its engine may still write what the next one reads.
      while (ending.has(id)) await ending.get(id)?.catch(() => {})
      const entry = take(id)
      try {
        return await task(entry.value)
      } finally {
        entry.users--
      }
    },
    end,
    async close() {
      const ends = await Promise.allSettled([...ending.values(), ...[...entries.keys()].map(end)])
      for (const { status, reason } of ends as PromiseRejectedResult[])
        if (status === 'rejected') throw reason
    },
  }
}
