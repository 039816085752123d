import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExtensionFactory, SessionEntry, ToolDefinition } from '@earendil-works/pi-coding-agent'
import { messageText } from '@palimpsest/core'
import { onTestFinished } from 'vitest'
import palimpsest from '../../src/index.ts'
import { type OpenPi, openPi, type PiInput } from './open-pi.ts'
import {
  type ProviderRequest,
  type Reply,
  type ScriptedProvider,
  startProvider,
} from './scripted-provider.ts'

export const WINDOW = 12_000
export const FACT = 'We store everything in Postgres.'

/** Every sixth note says something that is said nowhere else. */
export function note(turn: number): string {
  const said = turn === 3 ? FACT : turn % 6 === 0 ? portOf(turn) : 'Nothing new.'
  return `Note ${turn}: ${said} ${`The ledger of day ${turn} counts in cents. `.repeat(25)}`
}

export function portOf(turn: number): string {
  return `The service of day ${turn} listens on port ${8_000 + turn}.`
}

/** A tool of an application whose result has so many lines. */
function logTool(name: string, lines: number): ToolDefinition {
  const content = [{ type: 'text' as const, text: 'line of the log. '.repeat(lines) }]
  return {
    name,
    label: name,
    description: 'Reads the log.',
    parameters: { type: 'object' },
    execute: async () => ({ content, details: {} }),
  }
}

const TOOLS = [logTool('read_log', 100), logTool('read_all_logs', 5_000)]

export function lastText({ messages }: ProviderRequest): string {
  const last = messages.at(-1)
  return last === undefined ? '' : messageText(last)
}

/** A model that acknowledges notes, and searches when it is asked for something. */
export function acknowledge(request: ProviderRequest): Reply {
  const text = lastText(request)
  const turn = /^Note (\d+)/.exec(text)?.[1]
  if (turn !== undefined) return { text: `Noted, that is number ${turn}.` }
  if (request.messages.at(-1)?.role === 'tool')
    return { text: `It says: ${/We store everything in \w+|line of the log/.exec(text)?.[0] ?? 'nothing'}` }
  if (text === 'Read the log.') return { call: 'read_log', args: {} }
  if (text === 'Read all logs.') return { call: 'read_all_logs', args: {} }
  const query = /^Search (\w+)/.exec(text)?.[1]
  return query === undefined ? { text: 'Yes.' } : { call: 'lcm_grep', args: { query } }
}

export interface NotesInput
  extends Partial<Pick<PiInput, 'compaction' | 'contextLength' | 'isSignedOut' | 'maxTokens' | 'storage'>> {
  readonly provider?: ScriptedProvider
  readonly extension?: ExtensionFactory
}

/** A pi with the extension, and a provider that acknowledges notes. It is closed when the test is over. */
export async function openNotes(input: NotesInput = {}) {
  const { extension = palimpsest, provider = await startProvider(acknowledge), ...rest } = input
  const storage = input.storage ?? temporaryFolder()
  const pi = await openPi({
    contextLength: WINDOW,
    tools: TOOLS,
    ...rest,
    storage,
    provider,
    extensions: [extension],
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await pi.close()
    isOpen = false
  }
  onTestFinished(close)
  return { pi: { ...pi, close }, provider, storage }
}

export async function sayNotes(pi: Pick<OpenPi, 'send'>, first: number, last: number): Promise<void> {
  for (let turn = first; turn <= last; turn++) await pi.send(note(turn))
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pi-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function branchOf({ runtime }: Pick<OpenPi, 'runtime'>): SessionEntry[] {
  return runtime.session.sessionManager.getBranch()
}

export function textOf({ messages }: ProviderRequest): string {
  return messages.map((message) => messageText(message)).join('\n')
}
