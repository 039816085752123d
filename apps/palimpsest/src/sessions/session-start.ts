import { isObject, type Loose, looseOf } from '@palimpsest/core'
import type { AgentName } from './agents.ts'
import { textOf } from './parse-object.ts'

export interface SessionStart {
  readonly project?: string
  readonly began?: string
}

/** Prefixes of texts that agents write in the user's role: instructions, environment, commands. */
const FROM_THE_HOST =
  /^\s*(?:<(?:environment_context|session_context|user_instructions|permissions|instructions|skill|turn_aborted|system-reminder|task-notification|command-|local-command-|bash-|ide_)|# AGENTS\.md instructions|Caveat: The messages below|\[Request interrupted)/i

const COMMAND = /^\/[\w:-]+\s*$/

/** True for a text that the user did not write, and for a command alone. */
export function isFromTheHost(text: string): boolean {
  return FROM_THE_HOST.test(text) || COMMAND.test(text)
}

export function sessionStart(agent: AgentName, lines: readonly Loose[]): SessionStart {
  const project = lines.map((line) => projectOf(agent, line)).find((folder) => folder !== undefined)
  // Codex records typed text as a separate event; its messages contain more.
  const typed = agent === 'codex' ? lines.map(typedText).find((text) => text !== undefined) : undefined
  const texts = lines.map((line) => userText(agent, line)).filter((text) => text !== undefined)
  const began = typed ?? texts.find((text) => !COMMAND.test(text)) ?? texts[0]
  return { ...(project === undefined ? {} : { project }), ...(began === undefined ? {} : { began }) }
}

const FOLDER_OF_TASK = /# Current Work(?:ing|space) Directory \(([^)\n]+)\)/

function projectOf(agent: AgentName, line: Loose): string | undefined {
  if (agent === 'codex') return textOf(looseOf(line.payload).cwd ?? line.cwd)
  if (agent === 'cline' || agent === 'roo-code')
    return partsOf(line.content)
      .map((text) => FOLDER_OF_TASK.exec(text)?.[1])
      .find((folder) => folder !== undefined)
  const told = textOf(line.cwd) ?? textOf(line.working_dir) ?? textOf(looseOf(looseOf(line.data).context).cwd)
  if (told !== undefined || agent !== 'gemini-cli') return told
  const hash = textOf(line.projectHash)
  return hash === undefined ? undefined : `${HASHED}${hash}`
}

export const HASHED = 'sha256:'

function typedText({ type, payload }: Loose): string | undefined {
  const event = looseOf(payload)
  return type === 'event_msg' && event.type === 'user_message' ? textOf(event.message) : undefined
}

function userText(agent: AgentName, line: Loose): string | undefined {
  if (line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true) return undefined
  const message = messageOf(agent, line)
  if (message.role !== 'user') return undefined
  const text = contentText(message.content ?? message.parts)
  if (text === undefined || FROM_THE_HOST.test(text)) return undefined
  return TASK.exec(text)?.[1]?.trim() ?? text
}

const TASK = /^<task>([\s\S]*?)<\/task>/

function messageOf(agent: AgentName, line: Loose): Loose {
  if (agent === 'codex') return 'payload' in line ? looseOf(line.payload) : line
  if (line.type === 'user.message') return { role: 'user', content: looseOf(line.data).content }
  if (isObject(line.message)) return line.message
  return line.type === 'user' ? { ...line, role: 'user' } : line
}

function partsOf(content: unknown): string[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => textOf(isObject(part) ? part.text : part) ?? [])
}

function contentText(content: unknown): string | undefined {
  const texts = partsOf(content)
  return texts.find((text) => !FROM_THE_HOST.test(text)) ?? texts[0]
}
