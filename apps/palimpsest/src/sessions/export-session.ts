import {
  type Message,
  messageText,
  redactMessage,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { readTranscript, type TranscriptEntry } from '@palimpsest/transcripts'
import { writePart } from '../lcm/output.ts'
import { findSession } from './session-file.ts'

export interface ExportFlags {
  readonly format: 'markdown' | 'jsonl'
  readonly branches?: boolean
  readonly redact?: boolean
}

export async function exportSession(
  session: string,
  { format, branches = false, redact = false }: ExportFlags,
): Promise<number> {
  const { path, note } = await findSession(session)
  if (note !== undefined) process.stderr.write(`${note}\n`)
  const { entries, malformed } = await readTranscript(path, {
    whole: true,
    branches: branches ? 'all' : 'last',
  })
  for (const { line, reason } of malformed) process.stderr.write(`line ${line} is left out: ${reason}\n`)
  const shown = redact ? entries.map((one) => ({ ...one, message: redactMessage(one.message) })) : entries
  const parts = format === 'jsonl' ? shown.map(toLine) : [`# ${path}\n`, ...shown.map(toMarkdown)]
  for (const part of parts) await writePart(process.stdout, part)
  return 0
}

function toLine({ message, timestamp, model, usage }: TranscriptEntry): string {
  return `${JSON.stringify({ ...message, timestamp, model, usage })}\n`
}

const TITLES: Readonly<Record<Message['role'], string>> = {
  system: 'System',
  developer: 'System',
  user: 'User',
  assistant: 'Assistant',
  tool: 'Result',
}

function toMarkdown({ message, timestamp }: TranscriptEntry): string {
  const time = timestamp === undefined ? '' : ` · ${new Date(timestamp).toISOString()}`
  const text = messageText(message)
  const said = message.role === 'tool' ? fenced(text) : text.trim()
  const calls = toolCallsOf(message).map(
    (call) => `\`${toolCallName(call)}\`\n\n${fenced(toolCallInput(call))}`,
  )
  const body = [said, ...calls].filter((part) => part !== '').join('\n\n')
  return `\n## ${TITLES[message.role]}${time}\n\n${body}\n`
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${text.trimEnd()}\n${fence}`
}
