import type { Message } from '@palimpsest/core'
import { closestName } from '@palimpsest/core/options'
import type { ChatAgent, TurnEnd, TurnOptions } from '../chat-agent.ts'
import type { ChatListing } from '../records/list-chats.ts'

/** A line that a person types instead of a message: `/name argument`. None of them reaches the model. */
export interface ChatCommand {
  /** Without the slash, lower case. */
  readonly name: string
  /** As the help shows it, such as `[focus]`; absent when it takes none. */
  readonly argument?: string
  /** One line. */
  readonly help: string
  /** `argument`: what stands behind the name, trimmed; empty when nothing does. */
  run(argument: string, host: CommandHost): Promise<void> | void
}

/** One line of a list that a person chooses from. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

/** The chat, for the command that was typed in it. Texts may hold anything: they are made safe when shown. */
export interface CommandHost {
  /** The one that is talked to now. */
  readonly agent: ChatAgent
  readonly commands: readonly ChatCommand[]
  /** Aborted when the person stops the command. */
  readonly signal: AbortSignal
  print(text: string): void
  /** In tokens. */
  tokensOf(message: Message): number
  /** Undefined: none of them. `current`: where the list begins. */
  choose(title: string, choices: readonly Choice[], current?: string): Promise<string | undefined>
  /** Shows a turn that `begin` starts. */
  turn(begin: (options: TurnOptions) => Promise<TurnEnd>): Promise<void>
  /** Puts a text where the person writes, before what stands there. */
  draft(text: string): void
  /** Says with which session, engine and model the chat goes on. */
  introduce(): void
  /** Ends this session and goes on with another one. Keeps this one when that fails. */
  resume(id: string): Promise<void>
  engines(): Promise<Choice[]>
  chats(): Promise<ChatListing[]>
  /** Serves the page of this process's sessions, and opens it at one where there is a browser. Returns its address. */
  openPage(session: string): Promise<string>
  leave(): void
}

type ChatInput =
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
  const [, name, argument = ''] = /^\/([a-z][\w-]*)(?:\s+(\S.*))?$/is.exec(text.trim()) ?? []
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
