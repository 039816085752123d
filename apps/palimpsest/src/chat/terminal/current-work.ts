export type WorkState = 'idle' | 'running' | 'stopping'

export interface CurrentWork {
  readonly state: WorkState
  /** Runs a task. One that a task runs in itself goes before it until it is over. */
  run<Result>(what: string, task: (signal: AbortSignal) => Promise<Result>): Promise<Result>
  stop(): void
}

/** `onChange`: called with what goes on; undefined when nothing does any more. */
export function createCurrentWork(onChange: (what: string | undefined) => void): CurrentWork {
  const running: { readonly what: string; readonly abort: AbortController }[] = []
  return {
    get state() {
      const last = running.at(-1)
      if (last === undefined) return 'idle'
      return last.abort.signal.aborted ? 'stopping' : 'running'
    },
    async run(what, task) {
      const mine = { what, abort: new AbortController() }
      running.push(mine)
      onChange(what)
      try {
        return await task(mine.abort.signal)
      } finally {
        running.splice(running.indexOf(mine), 1)
        onChange(running.at(-1)?.what)
      }
    },
    stop() {
      if (running.length === 0) return
      for (const { abort } of running) abort.abort(new Error('stopped by the person'))
      onChange('stopping')
    },
  }
}
