import { closestName } from '@palimpsest/core/options'
import type { ChatCommand } from './chat-command.ts'

export type ChatInput =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'command'; readonly command: ChatCommand; readonly argument: string }
  /** `closest`: the command that was probably meant. */
  | { readonly kind: 'unknown'; readonly name: string; readonly closest?: string }

/**
 * A text that begins with a slash and a word is a command, and never sent to the model when there is no such command:
 * a slip would cost a turn, and `/reset` must not end up as a question. A path is no command: a word with another
 * slash or a dot in it, or one that `exists` finds.
 */
export function readInput(
  text: string,
  commands: readonly ChatCommand[],
  exists: (path: string) => boolean,
): ChatInput {
  const [, name, argument = ''] = /^\/([a-z][\w-]*)(?:\s+(.*))?$/is.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'message', text }
  const known = commands.find((command) => command.name === name.toLowerCase())
  if (known !== undefined) return { kind: 'command', command: known, argument: argument.trim() }
  if (exists(`/${name}`)) return { kind: 'message', text }
  const closest = closestName(
    name,
    commands.map((command) => command.name),
  )
  return { kind: 'unknown', name, ...(closest !== undefined && { closest }) }
}
