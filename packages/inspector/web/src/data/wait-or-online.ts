/** Waits so many milliseconds, or until the machine is online again. Rejects when aborted. */
export function waitOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController()
    const finish = (settle: () => void) => () => {
      clearTimeout(timer)
      done.abort()
      settle()
    }
    const timer = setTimeout(finish(resolve), milliseconds)
    globalThis.addEventListener?.('online', finish(resolve), { signal: done.signal })
    signal.addEventListener(
      'abort',
      finish(() => reject(signal.reason)),
      { signal: done.signal },
    )
  })
}
