/** The progress of a copy. Sessions that are there already count as well: they are compared. */
export interface CopyProgress {
  readonly sessions: number
  readonly messages: number
  /** All that there were at the beginning. */
  readonly of: { readonly sessions: number; readonly messages: number }
}

export interface CopyTally {
  /** So many messages of the session at hand were read. */
  messages(count: number): void
  messagesOfSession(): number
  session(): void
}

/** Counts what was done. A session is read more than once; its messages count once. */
export function createCopyTally(
  of: CopyProgress['of'],
  onProgress: (progress: CopyProgress) => void = () => {},
): CopyTally {
  const done = { sessions: 0, messages: 0 }
  let current = 0
  const report = (): void => onProgress({ sessions: done.sessions, messages: done.messages + current, of })
  return {
    messages(count) {
      if (count <= current) return
      current = count
      report()
    },
    messagesOfSession: () => current,
    session() {
      done.sessions++
      done.messages += current
      current = 0
      report()
    },
  }
}
