import { type Loose, looseOf } from '@palimpsest/core'
import type { AgentName } from './agents.ts'
import { textOf } from './read-start.ts'

export interface SessionStart {
  readonly project?: string
  readonly began?: string
}

/** Beginnings of texts that the agents put into a user's mouth: instructions, surroundings, commands of their own. */
const FROM_THE_HOST =
  /^\s*(?:<(?:environment_context|user_instructions|permissions|instructions|skill|turn_aborted|system-reminder|command-|local-command-|bash-|ide_)|# AGENTS\.md instructions|Caveat: The messages below)/i

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

function projectOf(agent: AgentName, line: Loose): string | undefined {
  return textOf(agent === 'codex' ? (looseOf(line.payload).cwd ?? line.cwd) : line.cwd)
}

function typedText({ type, payload }: Loose): string | undefined {
  const event = looseOf(payload)
  return type === 'event_msg' && event.type === 'user_message' ? textOf(event.message) : undefined
}

function userText(agent: AgentName, line: Loose): string | undefined {
  // Claude Code marks what a person did not say.
  if (line.isMeta === true || line.isSidechain === true || line.isCompactSummary === true) return undefined
  const message = messageOf(agent, line)
  if (message.role !== 'user') return undefined
  const text = contentText(message.content)
  return text === undefined || FROM_THE_HOST.test(text) ? undefined : text
}

/** The message of a line: at Codex the line's payload, or in the older format the line itself. */
function messageOf(agent: AgentName, line: Loose): Loose {
  if (agent !== 'codex') return looseOf(line.message)
  return 'payload' in line ? looseOf(line.payload) : line
}

/** The first text of a content that a person could have written. */
function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textOf(content)
  const texts = content
    .map((part: unknown) => textOf(looseOf(part).text))
    .filter((text) => text !== undefined)
  return texts.find((text) => !FROM_THE_HOST.test(text)) ?? texts[0]
}
