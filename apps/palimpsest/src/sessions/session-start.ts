import { isObject, type Loose, looseOf } from '@palimpsest/core'
import type { AgentName } from './agents.ts'
import { textOf } from './parse-object.ts'

export interface SessionStart {
  readonly project?: string
  readonly began?: string
}

/** Beginnings of texts that the agents put into a user's mouth: instructions, surroundings, commands of their own. */
export const FROM_THE_HOST =
  /^\s*(?:<(?:environment_context|session_context|user_instructions|permissions|instructions|skill|turn_aborted|system-reminder|command-|local-command-|bash-|ide_)|# AGENTS\.md instructions|Caveat: The messages below)/i

/** A command to the agent itself, such as `/model`: it says nothing about the session. */
const COMMAND = /^\/[\w:-]+\s*$/

/** Reads what the lines say, each agent's in its own words. */
export function sessionStart(agent: AgentName, lines: readonly Loose[]): SessionStart {
  const project = lines.map((line) => projectOf(agent, line)).find((folder) => folder !== undefined)
  // Codex writes down what was typed as an event of its own; its messages have more in them.
  const typed = agent === 'codex' ? lines.map(typedText).find((text) => text !== undefined) : undefined
  const texts = lines.map((line) => userText(agent, line)).filter((text) => text !== undefined)
  const began = typed ?? texts.find((text) => !COMMAND.test(text)) ?? texts[0]
  return { ...(project === undefined ? {} : { project }), ...(began === undefined ? {} : { began }) }
}

/** Cline and Roo Code say it in what they add to the first message. */
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

/** Older versions of Gemini CLI say no more of a folder than the hash of its path. */
export const HASHED = 'sha256:'

function typedText({ type, payload }: Loose): string | undefined {
  const event = looseOf(payload)
  return type === 'event_msg' && event.type === 'user_message' ? textOf(event.message) : undefined
}

function userText(agent: AgentName, line: Loose): string | undefined {
  // Claude Code marks what a person did not say.
  if (line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true) return undefined
  const message = messageOf(agent, line)
  if (message.role !== 'user') return undefined
  const text = contentText(message.content ?? message.parts)
  if (text === undefined || FROM_THE_HOST.test(text)) return undefined
  return TASK.exec(text)?.[1]?.trim() ?? text
}

/** What Cline and Roo Code put around a task. */
const TASK = /^<task>([\s\S]*?)<\/task>/

/** The message of a line: at Codex the line's payload, at others the line itself. */
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

/** The first text of a content that a person could have written. */
function contentText(content: unknown): string | undefined {
  const texts = partsOf(content)
  return texts.find((text) => !FROM_THE_HOST.test(text)) ?? texts[0]
}
