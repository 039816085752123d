import { anthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import type { QueuedLine } from './claude-line.ts'

/** One `queue-operation` line. */
export interface QueueOperation {
  readonly operation: unknown
  readonly content: string | undefined
  readonly line: number
  readonly timestamp: number | undefined
  /** The entry that was the last one in the file. */
  readonly above: string | undefined
}

export interface ResolvedQueue {
  readonly sent: QueuedLine[]
  /** The number of queued texts that never reached the model: taken back by the user, or still waiting at the end. */
  readonly unsent: number
}

interface Waiting {
  readonly content: string
  /** The text also stands in a later message line, so that it needs no line of its own. */
  readonly recorded: boolean
}

/**
 * Text that a user types while the model works is queued. Claude Code then starts a turn with it (`dequeue`: a user
 * line follows), puts it between two requests (`remove`: newer versions write an attachment line, older ones
 * nothing), or gives it back for editing (`popAll`). `messages` has the texts of the file's message lines by line
 * number. Texts that stand nowhere else are returned at the place where they were sent.
 */
export function resolveQueue(
  operations: readonly QueueOperation[],
  messages: ReadonlyMap<string, readonly number[]>,
): ResolvedQueue {
  const sent: QueuedLine[] = []
  const waiting: Waiting[] = []
  let unsent = 0
  const take = (fits: (entry: Waiting) => boolean) => {
    const index = waiting.findIndex(fits)
    return index === -1 ? undefined : waiting.splice(index, 1)[0]
  }
  for (const { operation, content, line, timestamp, above } of operations) {
    if (operation === 'enqueue' && content !== undefined) {
      waiting.push({ content, recorded: (messages.get(content)?.at(-1) ?? 0) > line })
    } else if (operation === 'dequeue') {
      take(({ recorded }) => recorded) ?? take(() => true)
    } else if (operation === 'remove') {
      const entry = take((entry) => !entry.recorded && (content === undefined || content === entry.content))
      if (entry === undefined) continue
      const turn = anthropicUserTurn(entry.content, undefined)
      sent.push({ kind: 'queued', line, uuid: undefined, timestamp, above, turn })
    } else if (operation === 'popAll') {
      unsent += unrecorded(waiting)
      waiting.length = 0
    }
  }
  return { sent, unsent: unsent + unrecorded(waiting) }
}

function unrecorded(waiting: readonly Waiting[]): number {
  return waiting.filter(({ recorded }) => !recorded).length
}
