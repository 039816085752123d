/** Sessions in memory by id. The least recently used one is ended to make room. */
export interface SessionPool<Value> {
  get(id: string): Value | undefined
  values(): Value[]
  /** Opens the session, even while a previous one with this id is ending. Throws the error of `open`. */
  open(id: string): Value
  /** Keeps the session open during a task. Rejects with the error of `open` or of the task. */
  use<Result>(id: string, task: (value: Value) => Result | Promise<Result>): Promise<Result>
  end(id: string): Promise<void>
  /** Ends all sessions. Rejects with the first error after all have ended. */
  close(): Promise<void>
}

export interface SessionPoolOptions<Value> {
  readonly limit: number
  readonly open: (id: string) => Value
  readonly end: (value: Value) => Promise<void>
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
      // The ending engine may still write what the next one reads.
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
