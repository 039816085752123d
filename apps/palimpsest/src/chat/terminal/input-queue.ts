export interface InputQueueInput {
  /** Deals with one text. False when it failed or was stopped: the others are not begun then. */
  handle(text: string): Promise<boolean>
  /** Called with what waits, when that changes. */
  onChange(waiting: readonly string[]): void
  /** Called with what was not begun, because a text before it failed. */
  giveBack(texts: readonly string[]): void
}

/** The texts of a person, one after the other: also those that were written while another one was dealt with. */
export interface InputQueue {
  add(text: string): void
  readonly waiting: readonly string[]
  /** Begins nothing more; resolves when what was begun is over. */
  close(): Promise<void>
}

export function createInputQueue({ handle, onChange, giveBack }: InputQueueInput): InputQueue {
  let waiting: readonly string[] = []
  let work: Promise<void> | undefined
  let isClosed = false

  function set(texts: readonly string[]): void {
    waiting = texts
    onChange(waiting)
  }

  async function workOff(): Promise<void> {
    for (let [text, ...rest] = waiting; text !== undefined && !isClosed; [text, ...rest] = waiting) {
      set(rest)
      if (await handle(text)) continue
      const left = waiting
      set([])
      if (left.length > 0) giveBack(left)
    }
    work = undefined
  }

  return {
    add(text) {
      set([...waiting, text])
      work ??= workOff()
    },
    get waiting() {
      return waiting
    },
    async close() {
      isClosed = true
      await work
    },
  }
}
