import { messageText } from '@palimpsest/core'
import { anthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import { userMessage } from '../build-message.ts'
import type { ClaudeLine, QueuedLine } from './read-claude-line.ts'

export interface QueueOperation {
  readonly operation: unknown
  readonly content: string | undefined
  readonly line: number
  readonly timestamp: number | undefined
  readonly above: string | undefined
}

interface Waiting {
  readonly content: string
  readonly line: number
  isBack?: boolean
}

/** The host's own words and commands, which usually wait until the turn is over. */
const WAITS_LONGER = /^(?:<task-notification>|\/)/

/**
 * Tracks text that a user types while the model works. Claude Code queues it, and then starts a turn with it (a user
 * line follows, in some versions after a `dequeue`), sends it between two requests (`remove`; newer versions name the
 * text and write an attachment line), or gives it back for editing (`popAll`). A text that appears nowhere else is a
 * message at its removal. Only earlier lines decide the meaning of a line, so that a growing file keeps its messages.
 */
export function createInputQueue() {
  let waiting: Waiting[] = []
  const sent: QueuedLine[] = []
  /** Entries that started a turn whose line is not known yet. */
  let begun = 0

  const take = (fits: (entry: Waiting) => boolean): Waiting | undefined => {
    const index = waiting.findIndex(fits)
    return index === -1 ? undefined : waiting.splice(index, 1)[0]
  }
  const takeNext = () =>
    take(({ content, isBack }) => isBack !== true && !WAITS_LONGER.test(content)) ??
    take(({ isBack }) => isBack !== true)
  const dropBegun = () => {
    for (; begun > 0; begun--) takeNext()
  }

  return {
    operate({ operation, content, line, timestamp, above }: QueueOperation): void {
      if (operation === 'enqueue') {
        if (content !== undefined) waiting.push({ content, line })
      } else if (operation === 'dequeue') {
        if (begun < waiting.length) begun++
      } else if (operation === 'remove') {
        dropBegun()
        const entry =
          content === undefined ? takeNext() : take((each) => !each.isBack && each.content === content)
        if (entry === undefined) return
        const turn = anthropicUserTurn(entry.content, undefined)
        sent.push({ kind: 'queued', line, uuid: undefined, timestamp, above, turn })
      } else if (operation === 'popAll') {
        dropBegun()
        waiting = waiting.map((entry) => ({ ...entry, isBack: true }))
      }
    },
    note(line: ClaudeLine): void {
      if (line.kind !== 'user' && line.kind !== 'queued') return
      const text = messageText(userMessage(line.turn.parts))
      if (take(({ content }) => content === text) !== undefined) begun = Math.max(0, begun - 1)
      else if (line.kind === 'queued') {
        const index = sent.findLastIndex(({ turn }) => messageText(userMessage(turn.parts)) === text)
        if (index !== -1) sent.splice(index, 1)
      }
    },
    finish() {
      dropBegun()
      const typed = waiting.find(({ content, isBack }) => isBack !== true && !WAITS_LONGER.test(content))
      return { sent, unsent: waiting.length, waitingSince: typed?.line }
    },
  }
}
