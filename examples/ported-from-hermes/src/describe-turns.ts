import { isBridge, type Message, messageText, readSummary, redactSecrets } from '@palimpsest/core'

/** The newest lines that stay, so that the list does not grow for ever. */
const MAX_LINES = 100

/** Characters of what the user said. */
const MAX_CHARACTERS = 200

/**
 * A line for each turn that is left out: what the user said, and how many messages followed. The lines of an earlier
 * list stand first.
 */
export function describeTurns(gone: readonly Message[]): string[] {
  const lines: string[] = []
  let turn: { readonly said: string; followed: number } | undefined
  const close = () => {
    if (turn !== undefined)
      lines.push(`- ${turn.said}${turn.followed > 0 ? ` (${turn.followed} messages followed)` : ''}`)
    turn = undefined
  }
  for (const message of gone) {
    const earlier = readSummary(message)
    if (earlier !== undefined || message.role === 'user') close()
    if (earlier !== undefined) lines.push(...redactSecrets(earlier).split('\n'))
    else if (message.role === 'user')
      turn = { said: `The user said: ${firstLine(messageText(message))}`, followed: 0 }
    else if (!isBridge(message)) {
      turn ??= { said: 'The turn before went on', followed: 0 }
      turn.followed++
    }
  }
  close()
  return lines.slice(-MAX_LINES)
}

/** Secrets are hidden before anything is cut, and cut is by whole characters: no emoji is left half. */
function firstLine(text: string): string {
  const [line = ''] = redactSecrets(text).split('\n')
  return [...line].slice(0, MAX_CHARACTERS).join('')
}
